"""Sample size of audits: how many it takes to estimate an error rate, and what they cost."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom, hypergeom, norm

from quorate.data.option_checks import require_number
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class AuditPlan:
    """A planned audit: the number of items, its price, and both in words."""

    n_audits: int
    cost: float
    words: str


def audits_needed(error: float, ratio: float, *, level: float = 0.9, n_pool: int | None = None) -> int:
    """Return the smallest audit that estimates an error rate within a factor: estimate / error from 1 / ratio to ratio.

    It does so with a probability of at least `level`, and so does every larger audit.

    Args:
        error: the error rate.
        ratio: the factor.
        level: probability that the estimate is within the factor.
        n_pool: number of items that the audit is drawn from, of which fewer are needed; None = infinite.

    >>> audits_needed(0.006, 1.5, level=0.8), audits_needed(0.006, 1.5), audits_needed(0.006, 1.5, n_pool=2000)
    (1821, 3059, 1282)
    """
    require_number("error", error, above=0, below=1)
    require_number("level", level, above=0, below=1)
    require_number("ratio", ratio, above=1, note="1.5 is within a factor of 1.5")
    if n_pool is not None and round(error * n_pool) == 0:
        return n_pool  # no item is wrong, which only an audit of all of them shows
    # the probability goes up and down, as counts are integers: look some way beyond where it stays above
    farthest = int((4 * (norm.ppf((1 + level) / 2) / np.log(ratio)) ** 2 + 40 * ratio / (ratio - 1)) / error)
    if n_pool is not None:  # a finite pool needs hardly more than an infinite one
        farthest = min(n_pool, int(1.1 * audits_needed(error, ratio, level=level)) + 10)
    audits = np.arange(1, farthest + 1)
    fails = np.flatnonzero(_chance_within(audits, error, ratio, n_pool) < level)
    return int(audits[fails[-1]]) + 1 if len(fails) else 1


def plan_audit(error: float, ratio: float, *, price: float, level: float = 0.9, n_pool: int | None = None) -> AuditPlan:
    """Plan the audit that estimates an error rate within a factor, and return its size and cost.

    Args:
        error: expected error rate.
        ratio: factor within which the error is to be known, above 1.
        price: price of one audited item.
        level: probability of the interval.
        n_pool: number of items in the pool; None = infinite.

    >>> print(plan_audit(0.02, 2, price=10).words)
    to estimate an error of 2.00% within a factor of 2 (90% sure): 341 audits, which cost 3,410
    """
    n_audits = audits_needed(error, ratio, level=level, n_pool=n_pool)
    words = (
        f"to estimate an error of {100 * error:.2f}% within a factor of {ratio:g} ({100 * level:g}% sure): "
        f"{n_audits:,} audits, which cost {n_audits * price:,g}"
    )
    return AuditPlan(n_audits=n_audits, cost=n_audits * price, words=words)


def _chance_within(audits: NDArray[np.int64], error: float, ratio: float, n_pool: int | None) -> Array:
    expected = audits * error if n_pool is None else audits * round(error * n_pool) / n_pool
    least, most = np.ceil(expected / ratio - 1e-9), np.floor(expected * ratio + 1e-9)
    count = binom(audits, error) if n_pool is None else hypergeom(n_pool, round(error * n_pool), audits)
    return np.asarray(count.cdf(most) - count.cdf(least - 1))
