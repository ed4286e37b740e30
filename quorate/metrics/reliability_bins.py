"""Confidence beside accuracy, bin by bin: what calibration errors sum up and reliability diagrams draw."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from quorate.data.option_checks import require_choice, require_number
from quorate.typing import Array

Binning = Literal["width", "mass"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Reliability:
    """Bins of confidence: one entry per bin in each, from low to high confidence.

    low, high: the edges, both belong to the bin where it is the last or one of equal mass, else only the low one.
    confidence: mean confidence in the bin. accuracy: share that is right. NaN where the bin is empty.
    count: how many items are in the bin.
    """

    low: Array
    high: Array
    confidence: Array
    accuracy: Array
    count: NDArray[np.int64]

    @property
    def share(self) -> Array:
        """How large a part of the items each bin holds; NaN where there are none at all."""
        total = self.count.sum()
        return self.count / total if total else np.full(len(self.count), np.nan)

    @property
    def gap(self) -> Array:
        """Confidence minus accuracy: above zero where the model is too sure, NaN where the bin is empty."""
        return self.confidence - self.accuracy


def reliability(probs: Array, gold: NDArray[np.int64], *, bins: int = 15, binning: Binning = "width") -> Reliability:
    """Confidence (the largest probability) and accuracy of the items with gold (-1 = none), in bins of confidence.

    binning: "width" cuts [0, 1] into equal parts; "mass" puts as many items into each bin as into the others, save that
    items of equal confidence share a bin; its edges are the least and the largest confidence in the bin.

    Rows need not sum to one (see sigmoid_reading). Of classes that tie the lowest counts.

    >>> found = reliability(np.array([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]]), np.array([0, 1, 1]), bins=4)
    >>> found.confidence.round(2).tolist(), found.accuracy.tolist(), found.count.tolist()
    ([nan, nan, 0.7, 0.85], [nan, nan, 1.0, 0.5], [0, 0, 1, 2])
    """
    rows = np.flatnonzero(gold >= 0)
    said = probs.argmax(axis=1)[rows]
    return binned(probs[rows, said], said == gold[rows], bins=bins, binning=binning)


def binned(chance: Array, happened: NDArray[np.bool_], *, bins: int, binning: Binning) -> Reliability:
    """The bins of events by the chance, (n,), that was given to each, and whether they happened."""
    place = places(chance, bins=bins, binning=binning)
    count = np.bincount(place, minlength=bins)
    if binning == "width":
        low, high = np.arange(bins) / bins, np.arange(1, bins + 1) / bins
    else:
        low, high = np.full(bins, np.inf), np.full(bins, -np.inf)
        np.minimum.at(low, place, chance)
        np.maximum.at(high, place, chance)
        low[count == 0] = high[count == 0] = np.nan
    size = np.where(count > 0, count, np.nan)
    return Reliability(
        low=low,
        high=high,
        confidence=np.bincount(place, chance, minlength=bins) / size,
        accuracy=np.bincount(place, happened, minlength=bins) / size,
        count=count,
    )


def places(chance: Array, *, bins: int, binning: Binning) -> NDArray[np.int64]:
    """Which bin each chance falls into: (n,)."""
    require_number("bins", bins, at_least=1, whole=True)
    require_choice("binning", binning, Binning)
    if binning == "width":
        return np.minimum((chance * bins).astype(np.int64), bins - 1)
    lower = np.searchsorted(np.sort(chance), chance)  # how many are lower: the same for all that are equal
    return lower * bins // max(len(chance), 1)
