"""How far confidence is from accuracy, on tasks with gold labels, in one number."""

import numpy as np
from numpy.typing import NDArray

from quorate.metrics.reliability_bins import Binning, Reliability, binned, reliability
from quorate.typing import Array


def expected_calibration_error(
    probs: Array, gold: NDArray[np.int64], *, bins: int = 15, binning: Binning = "width"
) -> float:
    """How far confidence is from accuracy: mean over bins of confidence of |accuracy - confidence|, by their size.

    In [0, 1]. Too high where items are few: even a perfect model has about sqrt(2 b a (1 - a) / (pi items)), a its
    accuracy, b the bins that hold items. Rows need not sum to one. A confidence of exactly 1 is of the last bin
    (torchmetrics: of one of its own).

    Paper: Naeini, Cooper, Hauskrecht, "Obtaining well calibrated probabilities using Bayesian binning", AAAI 2015.

    >>> round(expected_calibration_error(np.array([[0.8, 0.2], [0.8, 0.2]]), np.array([0, 1])), 3)
    0.3
    """
    return _mean_gap(reliability(probs, gold, bins=bins, binning=binning))


def adaptive_calibration_error(probs: Array, gold: NDArray[np.int64], *, bins: int = 15) -> float:
    """The same with bins of equal mass: as many items in each, so that where most items are is seen in detail.

    Of the most likely class; by class, as Nixon et al. (2019) have it: classwise_calibration_error(binning="mass").

    Paper: Nguyen, O'Connor, "Posterior calibration and exploratory analysis for NLP models", EMNLP 2015.

    >>> probs = np.array([[0.95, 0.05], [0.95, 0.05], [0.98, 0.02], [0.98, 0.02]])
    >>> gold = np.array([0, 1, 0, 0])  # .45 too sure, then .02 too modest: with one bin the one hides the other
    >>> [round(error(probs, gold, bins=2), 3) for error in (expected_calibration_error, adaptive_calibration_error)]
    [0.215, 0.235]
    """
    return expected_calibration_error(probs, gold, bins=bins, binning="mass")


def maximum_calibration_error(
    probs: Array, gold: NDArray[np.int64], *, bins: int = 15, binning: Binning = "width"
) -> float:
    """The largest |accuracy - confidence| of any bin that is not empty, be it of one item: noisy, look at the bins too.

    >>> maximum_calibration_error(np.array([[0.75, 0.25], [0.75, 0.25], [1.0, 0.0]]), np.array([0, 1, 1]))
    1.0
    """
    gaps = np.abs(reliability(probs, gold, bins=bins, binning=binning).gap)
    return float(np.nanmax(gaps)) if np.isfinite(gaps).any() else np.nan


def classwise_calibration_error(
    probs: Array, gold: NDArray[np.int64], *, bins: int = 15, binning: Binning = "width"
) -> float:
    """Mean over all classes of the calibration error of each: its probability against how often it is the gold class.

    It sees what the most likely class hides: a rare class that is always given too little. In [0, 1]; with many
    classes most probabilities are near zero and so is this, so compare it only on the same classes.

    Papers: Kull et al., "Beyond temperature scaling", NeurIPS 2019 (width); Nixon et al., "Measuring calibration in
    deep learning", CVPRW 2019 (mass).

    >>> classwise_calibration_error(np.array([[0.5, 0.25, 0.25], [0.5, 0.25, 0.25]]), np.array([0, 1]))
    0.16666666666666666
    """
    rows = np.flatnonzero(gold >= 0)
    errors = [
        _mean_gap(binned(probs[rows, k], gold[rows] == k, bins=bins, binning=binning)) for k in range(probs.shape[1])
    ]
    return float(np.mean(errors))


def root_mean_square_calibration_error(
    probs: Array, gold: NDArray[np.int64], *, bins: int = 15, binning: Binning = "width"
) -> float:
    """Root of the mean over items of (accuracy - confidence)^2 of their bin: large gaps weigh more than in ECE.

    >>> probs = np.array([[0.9, 0.1], [0.9, 0.1], [0.6, 0.4], [0.6, 0.4]])
    >>> round(root_mean_square_calibration_error(probs, np.array([0, 1, 0, 1])), 3)
    0.292
    """
    found = reliability(probs, gold, bins=bins, binning=binning)
    return float(np.sqrt(np.nansum(found.share * found.gap**2))) if found.count.any() else np.nan


def debiased_calibration_error(
    probs: Array, gold: NDArray[np.int64], *, bins: int = 15, binning: Binning = "mass"
) -> float:
    """The root mean square calibration error, less what chance adds to it: the one to compare sets of unlike size by.

    From the squared gap of each bin its variance a (1 - a) / (n - 1) is taken off, a the accuracy and n the items of
    the bin; a sum below zero counts as zero, which leaves a little of the bias. A root mean square, so
    not to be compared with ECE, which is a mean. Bins of one item tell no variance and are left out; NaN where there
    are no others.

    Paper: Kumar, Liang, Ma, "Verified uncertainty calibration", NeurIPS 2019.

    >>> probs = np.array([[0.9, 0.1], [0.9, 0.1], [0.9, 0.1], [0.9, 0.1]])
    >>> debiased_calibration_error(probs, np.array([0, 0, 0, 1]))  # three of four is what .9 may well give
    0.0
    >>> round(debiased_calibration_error(probs, np.array([0, 1, 1, 1])), 3)
    0.6
    """
    found = reliability(probs, gold, bins=bins, binning=binning)
    known = found.count > 1
    if not known.any():
        return np.nan
    count, accuracy = found.count[known], found.accuracy[known]
    squares = found.gap[known] ** 2 - accuracy * (1 - accuracy) / (count - 1)
    return float(np.sqrt(max(count @ squares / count.sum(), 0.0)))


def sigmoid_reading(probs: Array) -> Array:
    """The sigmoid of each class's logit in place of the softmax, as paper A's code reads confidence: (n, K).

    Logits are the centred log-probabilities: those of a linear layer trained with softmax, whose mean stays where it
    starts. Rows do not sum to one; the row's maximum is the confidence. With bins=10 it redoes that paper's tables; it
    is no probability of being right, so never the reading to choose. A class that is not the most likely stays so.

    >>> sigmoid_reading(np.array([[0.8, 0.2], [0.5, 0.5]])).round(3).tolist()
    [[0.667, 0.333], [0.5, 0.5]]
    >>> round(expected_calibration_error(sigmoid_reading(np.array([[0.8, 0.2]])), np.array([0]), bins=10), 3)
    0.333
    """
    logits = np.log(np.maximum(probs, np.finfo(np.float64).tiny))
    reading = 1 / (1 + np.exp(logits.mean(axis=1, keepdims=True) - logits))
    below_top = np.nextafter(reading.max(axis=1, keepdims=True), 0)  # two large logits may both come out as 1
    return np.where(probs < probs.max(axis=1, keepdims=True), np.minimum(reading, below_top), reading)


def _mean_gap(found: Reliability) -> float:
    return float(np.nansum(found.share * np.abs(found.gap))) if found.count.any() else np.nan
