"""How many audits it takes to know an error, and what they cost."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom, hypergeom, norm

from quorate.data.option_checks import require_number
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class AuditPlan:
    """An audit that is not yet done: how many items, at what price; words: the same for people to read."""

    n_audits: int
    cost: float
    words: str


def audits_needed(error: float, ratio: float, *, level: float = 0.9, n_pool: int | None = None) -> int:
    """The smallest audit that finds an error rate within a factor: estimate / error between 1 / ratio and ratio.

    It does so with a chance of `level` at least, and so does every larger audit. In a finite pool (n_pool) fewer are
    needed, at most all.

    >>> audits_needed(0.006, 1.5, level=0.8), audits_needed(0.006, 1.5), audits_needed(0.006, 1.5, n_pool=2000)
    (1821, 3059, 1282)
    """
    require_number("error", error, above=0, below=1)
    require_number("level", level, above=0, below=1)
    require_number("ratio", ratio, above=1, note="1.5 is within a factor of 1.5")
    if n_pool is not None and round(error * n_pool) == 0:
        return n_pool  # no item is wrong, which only all of them tell
    # the chance goes up and down, as counts are whole: look some way beyond where it stays above
    farthest = int((4 * (norm.ppf((1 + level) / 2) / np.log(ratio)) ** 2 + 40 * ratio / (ratio - 1)) / error)
    if n_pool is not None:  # a finite pool needs hardly more than an endless one
        farthest = min(n_pool, int(1.1 * audits_needed(error, ratio, level=level)) + 10)
    audits = np.arange(1, farthest + 1)
    fails = np.flatnonzero(_chance_within(audits, error, ratio, n_pool) < level)
    return int(audits[fails[-1]]) + 1 if len(fails) else 1


def plan_audit(error: float, ratio: float, *, price: float, level: float = 0.9, n_pool: int | None = None) -> AuditPlan:
    """The audit that finds an error rate within a factor, and its price.

    >>> print(plan_audit(0.02, 2, price=10).words)
    to know an error of 2.00 % within a factor of 2 (at 90 %): 341 audits, which cost 3,410
    """
    n_audits = audits_needed(error, ratio, level=level, n_pool=n_pool)
    words = (
        f"to know an error of {100 * error:.2f} % within a factor of {ratio:g} (at {100 * level:g} %): "
        f"{n_audits:,} audits, which cost {n_audits * price:,g}"
    )
    return AuditPlan(n_audits=n_audits, cost=n_audits * price, words=words)


def _chance_within(audits: NDArray[np.int64], error: float, ratio: float, n_pool: int | None) -> Array:
    expected = audits * error if n_pool is None else audits * round(error * n_pool) / n_pool
    least, most = np.ceil(expected / ratio - 1e-9), np.floor(expected * ratio + 1e-9)
    count = binom(audits, error) if n_pool is None else hypergeom(n_pool, round(error * n_pool), audits)
    return np.asarray(count.cdf(most) - count.cdf(least - 1))
