"""Calibration errors: the difference between confidence and accuracy on tasks with gold labels, as one number."""

import numpy as np
from numpy.typing import NDArray

from quorate.metrics.reliability_bins import Binning, Reliability, bin_predictions, reliability
from quorate.typing import Array


def expected_calibration_error(
    probs: Array, gold: NDArray[np.int64], *, bins: int = 15, binning: Binning = "width"
) -> float:
    """Return the ECE: the mean over bins of confidence, weighted by size, of |accuracy - confidence|.

    In [0, 1]. Biased upwards for few items: even a perfect model has about sqrt(2 b a (1 - a) / (pi n)), where a is its
    accuracy, b the number of non-empty bins and n that of the items. Rows need not sum to one. A confidence of exactly
    1 belongs to the last bin (in torchmetrics to a bin of its own).

    Args:
        probs: (n, n_classes).
        gold: class indices, (n,), -1 = none.
        bins: the number of bins.
        binning: "width": bins of equal width; "mass": bins with equally many items.

    Paper: Naeini, Cooper, Hauskrecht, "Obtaining well calibrated probabilities using Bayesian binning", AAAI 2015.

    >>> round(expected_calibration_error(np.array([[0.8, 0.2], [0.8, 0.2]]), np.array([0, 1])), 3)
    0.3
    """
    return _mean_gap(reliability(probs, gold, bins=bins, binning=binning))


def adaptive_calibration_error(probs: Array, gold: NDArray[np.int64], *, bins: int = 15) -> float:
    """Return the ECE with bins of equal mass: equally many items in each, so the bins are fine where most items are.

    It is of the most likely class; for the definition by class of Nixon et al. (2019), use
    classwise_calibration_error(binning="mass").

    Args:
        probs: (n, n_classes).
        gold: class indices, (n,), -1 = none.
        bins: the number of bins.

    Paper: Nguyen, O'Connor, "Posterior calibration and exploratory analysis for NLP models", EMNLP 2015.

    >>> probs = np.array([[0.95, 0.05], [0.95, 0.05], [0.98, 0.02], [0.98, 0.02]])
    >>> gold = np.array([0, 1, 0, 0])  # overconfident by .45, then underconfident by .02: in one bin they cancel
    >>> [round(error(probs, gold, bins=2), 3) for error in (expected_calibration_error, adaptive_calibration_error)]
    [0.215, 0.235]
    """
    return expected_calibration_error(probs, gold, bins=bins, binning="mass")


def maximum_calibration_error(
    probs: Array, gold: NDArray[np.int64], *, bins: int = 15, binning: Binning = "width"
) -> float:
    """Return the MCE: the largest |accuracy - confidence| of any bin.

    A bin may hold a single item, so the value is noisy: look at the bins too.

    Args:
        probs: (n, n_classes).
        gold: class indices, (n,), -1 = none.
        bins: the number of bins.
        binning: "width": bins of equal width; "mass": bins with equally many items.

    >>> maximum_calibration_error(np.array([[0.75, 0.25], [0.75, 0.25], [1.0, 0.0]]), np.array([0, 1, 1]))
    1.0
    """
    gaps = np.abs(reliability(probs, gold, bins=bins, binning=binning).gap)
    return float(np.nanmax(gaps)) if np.isfinite(gaps).any() else np.nan


def classwise_calibration_error(
    probs: Array, gold: NDArray[np.int64], *, bins: int = 15, binning: Binning = "width"
) -> float:
    """Return the mean over all classes of the ECE of each: its probability against how often it is the gold class.

    It shows what the ECE of the most likely class hides, such as a rare class whose probability is always too low. In
    [0, 1]; with many classes most probabilities are near zero and so is this value, so compare it only on the same
    classes.

    Args:
        probs: (n, n_classes).
        gold: class indices, (n,), -1 = none.
        bins: the number of bins.
        binning: "width": bins of equal width; "mass": bins with equally many items.

    Papers: Kull et al., "Beyond temperature scaling", NeurIPS 2019 (width); Nixon et al., "Measuring calibration in
    deep learning", CVPRW 2019 (mass).

    >>> classwise_calibration_error(np.array([[0.5, 0.25, 0.25], [0.5, 0.25, 0.25]]), np.array([0, 1]))
    0.16666666666666666
    """
    rows = np.flatnonzero(gold >= 0)
    errors = [
        _mean_gap(bin_predictions(probs[rows, k], gold[rows] == k, bins=bins, binning=binning))
        for k in range(probs.shape[1])
    ]
    return float(np.mean(errors))


def root_mean_square_calibration_error(
    probs: Array, gold: NDArray[np.int64], *, bins: int = 15, binning: Binning = "width"
) -> float:
    """Return the root mean square over items of accuracy - confidence of their bin; large gaps weigh more than in ECE.

    Args:
        probs: (n, n_classes).
        gold: class indices, (n,), -1 = none.
        bins: the number of bins.
        binning: "width": bins of equal width; "mass": bins with equally many items.

    >>> probs = np.array([[0.9, 0.1], [0.9, 0.1], [0.6, 0.4], [0.6, 0.4]])
    >>> round(root_mean_square_calibration_error(probs, np.array([0, 1, 0, 1])), 3)
    0.292
    """
    table = reliability(probs, gold, bins=bins, binning=binning)
    return float(np.sqrt(np.nansum(table.share * table.gap**2))) if table.count.any() else np.nan


def debiased_calibration_error(
    probs: Array, gold: NDArray[np.int64], *, bins: int = 15, binning: Binning = "mass"
) -> float:
    """Return the root mean square calibration error without the bias of small samples.

    Use it to compare data sets of different sizes. The variance a (1 - a) / (n - 1) is subtracted from the squared gap
    of each bin, where a is the accuracy and n the number of items of the bin; a negative sum counts as zero, which
    leaves a small bias. It is a root mean square, so do not compare it with ECE, which is a mean. Bins of one item have
    no variance and are left out; NaN if there are no others.

    Args:
        probs: (n, n_classes).
        gold: class indices, (n,), -1 = none.
        bins: the number of bins.
        binning: "width": bins of equal width; "mass": bins with equally many items.

    Paper: Kumar, Liang, Ma, "Verified uncertainty calibration", NeurIPS 2019.

    >>> probs = np.array([[0.9, 0.1], [0.9, 0.1], [0.9, 0.1], [0.9, 0.1]])
    >>> debiased_calibration_error(probs, np.array([0, 0, 0, 1]))  # three of four is compatible with .9
    0.0
    >>> round(debiased_calibration_error(probs, np.array([0, 1, 1, 1])), 3)
    0.6
    """
    table = reliability(probs, gold, bins=bins, binning=binning)
    several = table.count > 1
    if not several.any():
        return np.nan
    count, accuracy = table.count[several], table.accuracy[several]
    squares = table.gap[several] ** 2 - accuracy * (1 - accuracy) / (count - 1)
    return float(np.sqrt(max(count @ squares / count.sum(), 0.0)))


def sigmoid_reading(probs: Array) -> Array:
    """Return the sigmoid of each class's logit instead of the softmax, the confidence in the code of paper A: (n, K).

    Logits are the centred log-probabilities: those of a linear layer trained with softmax, whose mean does not change
    in training. Rows do not sum to one; the maximum of a row is the confidence. With bins=10 it reproduces the tables
    of that paper. It is not a probability of being right, so use it for nothing else. The most likely class stays so.

    >>> sigmoid_reading(np.array([[0.8, 0.2], [0.5, 0.5]])).round(3).tolist()
    [[0.667, 0.333], [0.5, 0.5]]
    >>> round(expected_calibration_error(sigmoid_reading(np.array([[0.8, 0.2]])), np.array([0]), bins=10), 3)
    0.333
    """
    logits = np.log(np.maximum(probs, np.finfo(np.float64).tiny))
    reading = 1 / (1 + np.exp(logits.mean(axis=1, keepdims=True) - logits))
    below_top = np.nextafter(reading.max(axis=1, keepdims=True), 0)  # two large logits may both round to 1
    return np.where(probs < probs.max(axis=1, keepdims=True), np.minimum(reading, below_top), reading)


def _mean_gap(table: Reliability) -> float:
    return float(np.nansum(table.share * np.abs(table.gap))) if table.count.any() else np.nan
