"""Proper scores: log loss, and the Brier score with its parts."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from quorate.metrics.reliability_bins import Binning, bin_indices
from quorate.typing import Array

LEAST = 1e-3  # log loss clips probabilities to it: otherwise one confident error would outweigh everything


def brier(probs: Array, gold: NDArray[np.int64]) -> float:
    """Return the Brier score: the mean over gold tasks of the squared distance to the gold class, over all classes.

    0 is best, 2 is worst. With two classes it is twice the score of one of them, which some libraries call Brier score.
    A proper score: the true probabilities have the lowest expected score.

    Paper: Brier, "Verification of forecasts expressed in terms of probability", 1950.

    >>> round(brier(np.array([[0.75, 0.25], [0.5, 0.5]]), np.array([0, 1])), 4)
    0.3125
    """
    rows = np.flatnonzero(gold >= 0)
    return float(((probs[rows] - _outcomes(probs, gold)) ** 2).sum(axis=1).mean()) if len(rows) else np.nan


@dataclass(frozen=True, kw_only=True)
class BrierParts:
    """The parts of a Brier score: brier = reliability - resolution + uncertainty + within_bins, exactly.

    Attributes:
        reliability: squared distance between probability and frequency of the bins; low is calibrated.
        resolution: squared distance between the frequencies of the bins and the overall one; high separates items.
        uncertainty: the score of always predicting the overall frequencies, which depends on the data alone.
        within_bins: the remainder, since the probabilities in a bin differ: their variance minus twice their covariance
            with the outcome. Negative if the order within bins is informative: then more bins would be better.
    """

    reliability: float
    resolution: float
    uncertainty: float
    within_bins: float


def brier_decomposition(
    probs: Array, gold: NDArray[np.int64], *, bins: int = 15, binning: Binning = "width"
) -> BrierParts:
    """Return the parts of `brier`, each summed over the classes, whose probabilities are binned one class at a time.

    Bins are by class, not by confidence in the most likely one, since only then the parts add up to a proper score of
    all probabilities. With few items reliability and resolution are biased upwards, as ECE is.

    Args:
        probs: (n, n_classes).
        gold: class indices, (n,), -1 = none.
        bins: the number of bins.
        binning: "width": bins of equal width; "mass": bins with equally many items.

    Papers: Murphy, "A new vector partition of the probability score", 1973; Stephenson, Coelho, Jolliffe, "Two extra
    components in the Brier score decomposition", 2008.

    >>> probs = np.array([[0.75, 0.25], [0.75, 0.25], [0.0, 1.0], [0.0, 1.0]])
    >>> (parts := brier_decomposition(probs, np.array([0, 1, 1, 1])))
    BrierParts(reliability=0.0625, resolution=0.125, uncertainty=0.375, within_bins=0.0)
    >>> parts.reliability - parts.resolution + parts.uncertainty + parts.within_bins
    0.3125
    """
    rows = np.flatnonzero(gold >= 0)
    if not len(rows):
        return BrierParts(reliability=np.nan, resolution=np.nan, uncertainty=np.nan, within_bins=np.nan)
    parts = [
        _parts(class_probs, outcome, bin_indices(class_probs, bins=bins, binning=binning))
        for class_probs, outcome in zip(probs[rows].T, _outcomes(probs, gold).T, strict=True)
    ]
    reliability, resolution, uncertainty, within_bins = np.sum(parts, axis=0).tolist()
    return BrierParts(reliability=reliability, resolution=resolution, uncertainty=uncertainty, within_bins=within_bins)


def _outcomes(probs: Array, gold: NDArray[np.int64]) -> Array:
    """Return the one-hot gold classes of the tasks with gold: (n_gold, K)."""
    return (gold[gold >= 0, None] == np.arange(probs.shape[1])).astype(np.float64)


def _parts(probs: Array, outcome: Array, bin_of: NDArray[np.int64]) -> tuple[float, float, float, float]:
    """Return the parts of one class from the probability, the outcome and the bin of each item, (n,) each."""
    size = np.maximum(np.bincount(bin_of), 1)
    mean_prob, frequency = (np.bincount(bin_of, values) / size for values in (probs, outcome))
    deviation = probs - mean_prob[bin_of]
    overall = outcome.mean()
    return (
        ((mean_prob - frequency)[bin_of] ** 2).mean(),
        ((frequency[bin_of] - overall) ** 2).mean(),
        overall * (1 - overall),
        (deviation**2 - 2 * deviation * (outcome - frequency[bin_of])).mean(),
    )


def log_loss(probs: Array, gold: NDArray[np.int64]) -> float:
    """Return the mean of -log p(gold class) over gold tasks; a probability below .001 counts as .001.

    >>> round(log_loss(np.array([[0.5, 0.5], [1.0, 0.0]]), np.array([0, 1])), 3)
    3.8
    """
    rows = np.flatnonzero(gold >= 0)
    return float(-np.log(np.maximum(probs[rows, gold[rows]], LEAST)).mean()) if len(rows) else np.nan
