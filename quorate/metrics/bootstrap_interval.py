"""How far a score may be from what many more items would give."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from quorate.data.option_checks import require_number
from quorate.metrics.checks import checked
from quorate.typing import Array

Metric = Callable[[Array, NDArray[np.int64]], float]


@dataclass(frozen=True, kw_only=True)
class Interval:
    """A score of the items at hand, and between what it would be of all items like them."""

    value: float
    low: float
    high: float


def bootstrap(
    metric: Metric, probs: Array, gold: NDArray[np.int64], *, repeats: int = 1000, level: float = 0.95, seed: int = 0
) -> Interval:
    """The score with its interval: the metric again and again on items with gold drawn with replacement.

    The ends are the quantiles of the repeats, moved down where the repeats are higher than the score on average. So it
    is with distances that are never below zero, such as every calibration error: chance adds to ECE, and again to each
    repeat, so that plain quantiles may lie above the truth altogether. With b the mean of the repeats less the score:

    - the high end is moved down by b, which the repeats added;
    - the low end is moved down by 2 b, which the repeats added and chance at least added to the score, or is the high
      quantile mirrored at the score (the "basic" interval) if that is lower; then by sqrt(2) b more, since where the
      truth is zero chance added (1 + sqrt 2) b to the score: two equal chances make sqrt(2) of one, not two.

    Where a score has no bias, b is next to nothing and these are the usual quantiles.

    A metric takes (probs, gold) and gives a number: use functools.partial for its options.

    >>> probs = np.array([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0.6, 0.4]] * 25)
    >>> from quorate.metrics import accuracy
    >>> found = bootstrap(accuracy, probs, np.array([0, 0, 1, 1] * 25))
    >>> found.value, round(found.low, 2), round(found.high, 2)
    (0.75, 0.66, 0.83)
    """
    require_number("repeats", repeats, at_least=1, whole=True)
    require_number("level", level, above=0, below=1)
    probs, gold = checked(probs, gold)
    rows = np.flatnonzero(gold >= 0)
    value = float(metric(probs, gold))
    if not len(rows) or np.isnan(value):
        return Interval(value=value, low=np.nan, high=np.nan)
    random = np.random.default_rng(seed)
    known, labels = probs[rows], gold[rows]
    drawn = (random.integers(len(rows), size=len(rows)) for _ in range(repeats))
    again = np.array([metric(known.take(some, axis=0), labels[some]) for some in drawn])
    low, high = np.nanquantile(again, [(1 - level) / 2, (1 + level) / 2])
    added = max(np.nanmean(again) - value, 0.0)
    lowest = 0.0 if np.nanmin(again) >= 0 else -np.inf  # a score that is never negative stays so
    low = min(low - 2 * added, 2 * value - high) - np.sqrt(2) * added
    return Interval(value=value, low=float(max(low, lowest)), high=float(high - added))
