"""An upper bound on the error rate that may be looked at after every audit."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammaln, xlogy

from quorate.audit.bounds.exact import check_audit
from quorate.audit.tuning import TUNING
from quorate.data.option_checks import require_number
from quorate.typing import Array

SHARES = np.array(TUNING.bet_shares)
LOG_WEIGHTS = np.log(np.array(TUNING.bet_weights) / sum(TUNING.bet_weights))


def most_wrong_anytime(n_wrong: int, n_audited: int, n_pool: int | None = None, *, delta: float = 0.1) -> float:
    """Return an upper bound on the error rate that is *ever* below the truth in at most a share `delta` of all audits.

    Each candidate rate is bet against: a stake of one is distributed over rivals that are 5, 20, 40 and 60% of it, and
    grows by the likelihood ratio. At the true rate the bets are fair, so that the stake ever grows to 1 / delta with a
    probability of at most delta; the bound is the largest rate at which it has not.

    Args:
        n_wrong: number of wrong answers in the audit.
        n_audited: number of audited answers.
        n_pool: number of answers that the audit is drawn from; each audit then also says what is left, so that the
            bound falls faster. None = infinite.
        delta: share of audits in which the bound is wrong, at most.

    Papers: Ville 1939; Robbins 1970 (mixtures); Waudby-Smith and Ramdas, "Confidence sequences for sampling without
    replacement", NeurIPS 2020.

    >>> round(most_wrong_anytime(0, 29), 3), round(most_wrong_anytime(0, 29, 60), 3)
    (0.105, 0.067)
    """
    check_audit(n_wrong, n_audited, n_pool)
    require_number("delta", delta, above=0, below=1)
    if n_pool is None:
        return _largest_rate(n_wrong, n_audited, -np.log(delta))
    return _largest_count(n_wrong, n_audited, n_pool, -np.log(delta)) / n_pool if n_pool else 0.0


def certified_anytime(
    n_wrong: ArrayLike, n_audited: ArrayLike, target: float, n_pool: int | None = None, *, delta: float = 0.1
) -> NDArray[np.bool_]:
    """Return whether `most_wrong_anytime` is at most the target, after each of several audits.

    Args:
        n_wrong: number of wrong answers in each audit.
        n_audited: number of audited answers in each audit.
        target: the error rate to rule out.
        n_pool: number of answers that the audits are drawn from; None = infinite.
        delta: share of audits in which the bound is wrong, at most.

    >>> certified_anytime([0, 0, 1], [60, 65, 65], 0.05).tolist()
    [False, True, False]
    """
    require_number("target", target, above=0, below=1)
    require_number("delta", delta, above=0, below=1)
    against = target if n_pool is None else least_above(target, n_pool)
    return np.asarray(stake(n_wrong, n_audited, against, n_pool) >= -np.log(delta))


def least_above(target: float, n_pool: int) -> int:
    """Return the smallest number of wrong items that is above the target."""
    return int(np.floor(target * n_pool * (1 + 1e-12))) + 1


def stake(n_wrong: ArrayLike, n_audited: ArrayLike, against: ArrayLike, n_pool: int | None = None) -> Array:
    """Return the log of what a stake of one has grown to by betting against an error, after each of these counts.

    It depends on the counts alone, falls with every wrong answer, and grows with every right one and with `against`. It
    is infinite if the right answers rule the error out, and minus infinite if more wrong answers were seen.

    Args:
        n_wrong: number of wrong answers.
        n_audited: number of audited answers.
        against: the error rate, below one, or, in a finite pool, the number of wrong items.
        n_pool: number of items in the pool; None = infinite.
    """
    wrong, audited, error = np.broadcast_arrays(*(np.asarray(part, float) for part in (n_wrong, n_audited, against)))
    right, rival = audited - wrong, SHARES * error[..., None]
    if n_pool is None:
        ratios = xlogy(wrong[..., None], SHARES) + right[..., None] * (np.log1p(-rival) - np.log1p(-error)[..., None])
        return np.asarray(np.logaddexp.reduce(ratios + LOG_WEIGHTS, axis=-1))
    too_many, too_few = right > n_pool - error, wrong > error
    wrong, right = (np.where(too_many | too_few, 0, counts) for counts in (wrong, right))
    alive = wrong[..., None] <= rival  # a rival below the observed number of wrong items has lost its stake
    ways = _log_ways(rival, np.where(alive, wrong[..., None], 0)) + _log_ways(n_pool - rival, right[..., None])
    rivals = np.logaddexp.reduce(np.where(alive, ways, -np.inf) + LOG_WEIGHTS, axis=-1)
    grown = rivals - _log_ways(error, wrong) - _log_ways(n_pool - error, right)
    return np.where(too_few, -np.inf, np.where(too_many, np.inf, grown))


def _log_ways(have: Array, drawn: Array) -> Array:
    """Return the log of have (have - 1) ... (have - drawn + 1): the ways to draw one after another."""
    return np.asarray(gammaln(have + 1.0) - gammaln(have - drawn + 1.0))


def _largest_rate(n_wrong: int, n_audited: int, enough: float) -> float:
    """Return the rate at which the stake is just enough, or up to a millionth more, on ever finer grids."""
    if n_wrong == n_audited:
        return 1.0
    low, high = n_wrong / n_audited, 1.0
    while high - low > 1e-6:
        rates = np.linspace(low, high, 129)[1:-1]
        passed = int(np.searchsorted(stake(n_wrong, n_audited, rates), enough))
        grid = np.concatenate([[low], rates, [high]])
        low, high = float(grid[passed]), float(grid[passed + 1])
    return high


def _largest_count(n_wrong: int, n_audited: int, n_pool: int, enough: float) -> int:
    """Return the largest number of wrong items at which the stake is not enough."""
    low, high = n_wrong, n_pool - (n_audited - n_wrong) + 1  # at `low` it is not, at `high` it is
    while high - low > 1:
        counts = np.unique(np.linspace(low, high, 65).round())[1:-1]
        passed = int(np.searchsorted(stake(n_wrong, n_audited, counts, n_pool), enough))
        grid = np.concatenate([[low], counts, [high]])
        low, high = int(grid[passed]), int(grid[passed + 1])
    return low
