"""Bootstrap intervals of metrics: how uncertain a score of few items is."""

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
    """A score, and the interval in which the score of all items of this kind lies."""

    value: float
    low: float
    high: float


def bootstrap(
    metric: Metric, probs: Array, gold: NDArray[np.int64], *, repeats: int = 1000, level: float = 0.95, seed: int = 0
) -> Interval:
    """Return a score with its bootstrap interval: the metric is repeated on items drawn with replacement.

    Only items with gold are drawn. `interval_of` says how the ends follow from the repeats.

    Args:
        metric: a function of (probs, gold) that returns a number; use functools.partial for its options.
        probs: (n, n_classes).
        gold: class indices, (n,), -1 = none.
        repeats: the number of draws.
        level: the coverage of the interval.
        seed: of the draws.

    >>> probs = np.array([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0.6, 0.4]] * 25)
    >>> from quorate.metrics import accuracy
    >>> interval = bootstrap(accuracy, probs, np.array([0, 0, 1, 1] * 25))
    >>> interval.value, round(interval.low, 2), round(interval.high, 2)
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
    pred_probs, labels = probs[rows], gold[rows]
    samples = (random.integers(len(rows), size=len(rows)) for _ in range(repeats))
    scores = np.array([metric(pred_probs.take(sample, axis=0), labels[sample]) for sample in samples])
    return interval_of(value, scores, level=level)


def interval_of(value: float, repeats: Array, *, level: float = 0.95) -> Interval:
    """Return the interval of a score, given the scores of resamples of its items: (n_repeats,).

    The ends are quantiles of the repeats, corrected for bias. Distances that are never negative, such as every
    calibration error, are biased upwards: chance adds to ECE, and again to each repeat, so that plain quantiles may lie
    entirely above the true value. With b the mean of the repeats minus the score, or zero:

    - the high end is lowered by b, the bias of the repeats;
    - the low end is lowered by 2 b, the bias of the repeats and the least bias of the score, or is the high quantile
      mirrored at the score (the "basic" interval) if that is lower; then by sqrt(2) b more, since with a true value of
      zero the bias of the score is (1 + sqrt 2) b: two equal errors add up to sqrt(2) times one of them.

    Without bias, b is close to zero and these are the usual quantiles.

    Args:
        value: the score of all items.
        repeats: the scores of the resamples.
        level: the coverage of the interval.
    """
    low, high = np.nanquantile(repeats, [(1 - level) / 2, (1 + level) / 2])
    bias = max(float(np.nanmean(repeats)) - value, 0.0)
    minimum = 0.0 if np.nanmin(repeats) >= 0 else -np.inf  # the interval of a non-negative score is not negative
    low = min(low - 2 * bias, 2 * value - high) - np.sqrt(2) * bias
    return Interval(value=value, low=float(max(low, minimum)), high=float(high - bias))
