"""Exact bounds from an audit that is looked at once: Clopper and Pearson's, and their analogue for a finite pool."""

import numpy as np
from scipy.special import betaincinv, betaln, gammaln

from quorate.data.option_checks import require_number
from quorate.errors import MethodError
from quorate.typing import Array


def most_wrong(n_wrong: int, n_audited: int, n_pool: int | None = None, *, delta: float = 0.1) -> float:
    """Return an upper bound on the error rate that is below the truth in at most a share `delta` of all audits.

    Look at it once, at a number of audits that was fixed beforehand: if it is looked at repeatedly, it does not hold
    (see `anytime`).

    Args:
        n_wrong: number of wrong answers in the audit.
        n_audited: number of audited answers.
        n_pool: number of items that the audit was drawn from, each at most once; None = infinite.
        delta: share of audits in which the bound is wrong, at most.

    >>> round(most_wrong(0, 29), 3), round(most_wrong(0, 29, 60), 3)
    (0.076, 0.05)
    """
    check_audit(n_wrong, n_audited, n_pool)
    require_number("delta", delta, above=0, below=1)
    if n_pool is None:
        return 1.0 if n_wrong == n_audited else float(betaincinv(n_wrong + 1, n_audited - n_wrong, 1 - delta))
    return highest(chances_above(n_wrong, n_audited, n_pool), delta) / n_pool if n_pool else 0.0


def least_wrong(n_wrong: int, n_audited: int, n_pool: int | None = None, *, delta: float = 0.1) -> float:
    """Return a lower bound on the error rate that is above the truth in at most a share `delta` of all audits.

    Args:
        n_wrong: number of wrong answers in the audit.
        n_audited: number of audited answers.
        n_pool: number of answers that the audit is drawn from; None = infinite.
        delta: share of audits in which the bound is wrong, at most.

    >>> round(least_wrong(3, 100), 4), least_wrong(0, 100)
    (0.0111, 0.0)
    """
    check_audit(n_wrong, n_audited, n_pool)
    require_number("delta", delta, above=0, below=1)
    if n_pool is None:
        return 0.0 if n_wrong == 0 else float(betaincinv(n_wrong, n_audited - n_wrong + 1, delta))
    return lowest(chances_below(n_wrong, n_audited, n_pool), delta) / n_pool if n_pool else 0.0


def chances_above(n_wrong: int, n_audited: int, n_pool: int) -> Array:
    """Return the upper bounds of all levels as a distribution over the number of wrong items: (n_pool + 1,).

    Its upper tail from m on is the probability that an audit of a pool with m wrong items finds at most n_wrong:
    P(X <= n_wrong), X hypergeometric. That is n_wrong plus a beta-binomial number of the items not audited, with one
    error more than was seen.
    """
    return _chances(n_wrong, n_audited, n_pool, n_wrong + 1.0, float(n_audited - n_wrong))


def chances_below(n_wrong: int, n_audited: int, n_pool: int) -> Array:
    """Return the lower bounds of all levels as a distribution, with one right answer more than was seen."""
    return _chances(n_wrong, n_audited, n_pool, float(n_wrong), n_audited - n_wrong + 1.0)


def highest(chances: Array, delta: float) -> int:
    """Return the largest number whose upper tail is more than `delta`."""
    tail = np.cumsum(chances[::-1])[::-1]
    return int(np.flatnonzero(tail > delta * (1 + 1e-12))[-1])


def lowest(chances: Array, delta: float) -> int:
    """Return the smallest number whose lower tail is more than `delta`."""
    return len(chances) - 1 - highest(chances[::-1], delta)


def _chances(n_wrong: int, n_audited: int, n_pool: int, wrong: float, right: float) -> Array:
    """Return the distribution of n_wrong + beta-binomial(n_pool - n_audited; wrong, right).

    If `wrong` or `right` is zero, all items not audited are right or wrong.
    """
    chances = np.zeros(n_pool + 1)
    rest = n_pool - n_audited
    if wrong == 0 or right == 0:
        chances[n_wrong + (rest if right == 0 else 0)] = 1.0
        return chances
    more = np.arange(rest + 1)
    ways = gammaln(rest + 1) - gammaln(more + 1) - gammaln(rest - more + 1)
    chances[n_wrong : n_wrong + rest + 1] = np.exp(
        ways + betaln(more + wrong, rest - more + right) - betaln(wrong, right)
    )
    return chances / chances.sum()


def check_audit(n_wrong: int, n_audited: int, n_pool: int | None = None) -> None:
    """Raise MethodError for counts that no audit can have."""
    if not 0 <= n_wrong <= n_audited:
        raise MethodError(f"n_wrong must be between 0 and the {n_audited} audited, got {n_wrong}")
    if n_pool is not None and n_audited > n_pool:
        raise MethodError(f"the pool has {n_pool} items, got {n_audited} audited: count each item once")
