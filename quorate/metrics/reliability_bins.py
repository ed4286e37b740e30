"""Confidence and accuracy in bins: the data of calibration errors and reliability diagrams."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from quorate.data.option_checks import require_choice, require_number
from quorate.typing import Array

Binning = Literal["width", "mass"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Reliability:
    """Bins of confidence: each array has one entry per bin, from low to high confidence.

    Attributes:
        low: the lower edge, which belongs to the bin.
        high: the upper edge, which belongs to the bin only if it is the last one or the bins have equal mass.
        confidence: the mean confidence in the bin, NaN if it is empty.
        accuracy: the share of its items that are right, NaN if it is empty.
        count: the number of items in the bin.
    """

    low: Array
    high: Array
    confidence: Array
    accuracy: Array
    count: NDArray[np.int64]

    @property
    def share(self) -> Array:
        """Share of the items in each bin; NaN if there are no items."""
        total = self.count.sum()
        return self.count / total if total else np.full(len(self.count), np.nan)

    @property
    def gap(self) -> Array:
        """Confidence minus accuracy: positive if the model is overconfident, NaN if the bin is empty."""
        return self.confidence - self.accuracy


def reliability(probs: Array, gold: NDArray[np.int64], *, bins: int = 15, binning: Binning = "width") -> Reliability:
    """Return confidence (the largest probability) and accuracy of the items with gold, in bins of confidence.

    Ties between classes go to the lowest.

    Args:
        probs: (n, n_classes); rows need not sum to one (see sigmoid_reading).
        gold: class indices, (n,), -1 = none.
        bins: the number of bins.
        binning: "width" divides [0, 1] into equal parts; "mass" puts equally many items into each bin, except that
            items of equal confidence share a bin; its edges are the smallest and the largest confidence in the bin.

    >>> table = reliability(np.array([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]]), np.array([0, 1, 1]), bins=4)
    >>> table.confidence.round(2).tolist(), table.accuracy.tolist(), table.count.tolist()
    ([nan, nan, 0.7, 0.85], [nan, nan, 1.0, 0.5], [0, 0, 1, 2])
    """
    rows = np.flatnonzero(gold >= 0)
    predicted = probs.argmax(axis=1)[rows]
    return bin_predictions(probs[rows, predicted], predicted == gold[rows], bins=bins, binning=binning)


def bin_predictions(confidence: Array, correct: NDArray[np.bool_], *, bins: int, binning: Binning) -> Reliability:
    """Return the bins of predictions, given their confidence, (n,), and whether they are correct, (n,)."""
    bin_of = bin_indices(confidence, bins=bins, binning=binning)
    count = np.bincount(bin_of, minlength=bins)
    if binning == "width":
        low, high = np.arange(bins) / bins, np.arange(1, bins + 1) / bins
    else:
        low, high = np.full(bins, np.inf), np.full(bins, -np.inf)
        np.minimum.at(low, bin_of, confidence)
        np.maximum.at(high, bin_of, confidence)
        low[count == 0] = high[count == 0] = np.nan
    size = np.where(count > 0, count, np.nan)
    return Reliability(
        low=low,
        high=high,
        confidence=np.bincount(bin_of, confidence, minlength=bins) / size,
        accuracy=np.bincount(bin_of, correct, minlength=bins) / size,
        count=count,
    )


def bin_indices(confidence: Array, *, bins: int, binning: Binning) -> NDArray[np.int64]:
    """Return the index of the bin of each confidence: (n,).

    Args:
        confidence: probability of the predicted class, (n,).
        bins: number of bins.
        binning: "width" = bins of equal width, "mass" = bins with equal numbers of predictions.
    """
    require_number("bins", bins, at_least=1, whole=True)
    require_choice("binning", binning, Binning)
    if binning == "width":
        return np.minimum((confidence * bins).astype(np.int64), bins - 1)
    n_lower = np.searchsorted(np.sort(confidence), confidence)  # the same for equal confidences
    return n_lower * bins // max(len(confidence), 1)
