"""Proper scores: log loss, and the Brier score with its parts."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from quorate.metrics.reliability_bins import Binning, places
from quorate.typing import Array

LEAST = 1e-3  # log-loss takes no probability for less: a single sure and wrong answer would else outweigh everything


def brier(probs: Array, gold: NDArray[np.int64]) -> float:
    """Mean over gold tasks of the squared distance, summed over all classes, from the gold class: 0 is best, 2 worst.

    With two classes it is twice the score of one of them, which some libraries call Brier score. A proper score: the
    true probabilities have the lowest.

    Paper: Brier, "Verification of forecasts expressed in terms of probability", 1950.

    >>> round(brier(np.array([[0.75, 0.25], [0.5, 0.5]]), np.array([0, 1])), 4)
    0.3125
    """
    rows = np.flatnonzero(gold >= 0)
    return float(((probs[rows] - _happened(probs, gold)) ** 2).sum(axis=1).mean()) if len(rows) else np.nan


@dataclass(frozen=True, kw_only=True)
class BrierParts:
    """What a Brier score is made of: brier = reliability - resolution + uncertainty + within_bins, exactly.

    reliability: squared distance of probability from frequency, bin by bin: low is calibrated.
    resolution: how far the frequencies of the bins differ from the overall one: high tells items apart.
    uncertainty: the score of always giving the overall frequencies; it is the data's, no model changes it.
    within_bins: what is left since probabilities of one bin differ: their variance, less twice their covariance with
    what happened. Below zero where the order within bins is informative: more bins would then be better.
    """

    reliability: float
    resolution: float
    uncertainty: float
    within_bins: float


def brier_decomposition(
    probs: Array, gold: NDArray[np.int64], *, bins: int = 15, binning: Binning = "width"
) -> BrierParts:
    """The parts of `brier`: each is the sum over the classes of that part of "is it this class?", binned by its chance.

    By class and not by confidence in the most likely one, since only then the parts add up to a proper score of all
    probabilities. Few items make reliability and resolution too high, as they do ECE.

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
    happened = _happened(probs, gold)
    parts = [
        _parts(chance, event, places(chance, bins=bins, binning=binning))
        for chance, event in zip(probs[rows].T, happened.T, strict=True)
    ]
    reliability, resolution, uncertainty, within_bins = np.sum(parts, axis=0).tolist()
    return BrierParts(reliability=reliability, resolution=resolution, uncertainty=uncertainty, within_bins=within_bins)


def _happened(probs: Array, gold: NDArray[np.int64]) -> Array:
    """One where the class is gold, of tasks with gold: (n_gold, K)."""
    return (gold[gold >= 0, None] == np.arange(probs.shape[1])).astype(np.float64)


def _parts(chance: Array, event: Array, place: NDArray[np.int64]) -> tuple[float, float, float, float]:
    """Of one class: chance and event (n,), the bin of each item."""
    size = np.maximum(np.bincount(place), 1)
    mean_chance, frequency = (np.bincount(place, x) / size for x in (chance, event))
    inside = chance - mean_chance[place]
    overall = event.mean()
    return (
        ((mean_chance - frequency)[place] ** 2).mean(),
        ((frequency[place] - overall) ** 2).mean(),
        overall * (1 - overall),
        (inside**2 - 2 * inside * (event - frequency[place])).mean(),
    )


def log_loss(probs: Array, gold: NDArray[np.int64]) -> float:
    """Mean of -log p(gold class) over gold tasks; a probability below .001 counts as .001.

    >>> round(log_loss(np.array([[0.5, 0.5], [1.0, 0.0]]), np.array([0, 1])), 3)
    3.8
    """
    rows = np.flatnonzero(gold >= 0)
    return float(-np.log(np.maximum(probs[rows, gold[rows]], LEAST)).mean()) if len(rows) else np.nan
