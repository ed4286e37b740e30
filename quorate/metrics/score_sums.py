"""Accuracy, ECE, log-loss and Brier score as functions of sums over tasks, so that resampling them is quick."""

import numpy as np
from numpy.typing import NDArray

from quorate.metrics.classification_scores import chance_right
from quorate.metrics.proper_scores import LEAST
from quorate.metrics.reliability_bins import bin_indices
from quorate.typing import Array

BINS = 15  # of ECE, as in expected_calibration_error


def score_parts(probs: Array, gold: NDArray[np.int64]) -> Array:
    """Return what each task adds to the sums behind the scores: (n, 4 + 15).

    The columns: 1, correct, log-loss, Brier score, and confidence minus correctness in the bin of its confidence.

    probs: (n, n_classes). gold: class indices, (n,); all tasks must have gold.
    """
    tasks = np.arange(len(gold))
    predicted = probs.argmax(axis=1)
    confidence = probs[tasks, predicted]
    gaps = np.zeros((len(gold), BINS))
    gaps[tasks, bin_indices(confidence, bins=BINS, binning="width")] = confidence - (predicted == gold)
    prob_of_gold = probs[tasks, gold]
    squares = (probs**2).sum(axis=1) - 2 * prob_of_gold + 1
    log_losses = -np.log(np.maximum(prob_of_gold, LEAST))
    return np.column_stack([np.ones(len(gold)), chance_right(probs, gold), log_losses, squares, gaps])


def scores_of(sums: Array) -> dict[str, Array]:
    """Return accuracy, ECE, log-loss and Brier score, (...) each, from sums of parts, (..., 4 + 15).

    >>> scores = scores_of(score_parts(np.array([[0.8, 0.2], [0.8, 0.2]]), np.array([0, 1])).sum(axis=0))
    >>> {name: round(float(value), 3) for name, value in scores.items()}
    {'accuracy': 0.5, 'ece': 0.3, 'log_loss': 0.916, 'brier': 0.68}
    """
    n_tasks = sums[..., 0]
    return {
        "accuracy": sums[..., 1] / n_tasks,
        "ece": np.abs(sums[..., 4:]).sum(axis=-1) / n_tasks,
        "log_loss": sums[..., 2] / n_tasks,
        "brier": sums[..., 3] / n_tasks,
    }
