"""All metrics in one table."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from quorate.data.votes import Votes
from quorate.metrics.bootstrap_interval import Metric
from quorate.metrics.calibration_error import (
    adaptive_calibration_error,
    classwise_calibration_error,
    debiased_calibration_error,
    expected_calibration_error,
    maximum_calibration_error,
    sigmoid_reading,
)
from quorate.metrics.checks import checked
from quorate.metrics.classification_scores import accuracy, balanced_accuracy, macro_f1, top_k_accuracy
from quorate.metrics.distance_to_votes import DISTANCES, against_people
from quorate.metrics.proper_scores import brier, brier_decomposition, log_loss
from quorate.metrics.risk_coverage_curve import area_under_risk_coverage, excess_area_under_risk_coverage
from quorate.typing import Array


def _ece_sigmoid(probs: Array, gold: NDArray[np.int64]) -> float:
    """Return the ECE as the code of paper A defines it: see sigmoid_reading."""
    return expected_calibration_error(sigmoid_reading(probs), gold, bins=10)


METRICS: dict[str, Metric] = {
    "accuracy": accuracy,
    "balanced_accuracy": balanced_accuracy,
    "macro_f1": macro_f1,
    "top_2_accuracy": partial(top_k_accuracy, k=2),
    "top_5_accuracy": partial(top_k_accuracy, k=5),
    "nll": log_loss,
    "brier": brier,
    "ece": expected_calibration_error,
    "ece_10_bins": partial(expected_calibration_error, bins=10),
    "ece_adaptive": adaptive_calibration_error,
    "ece_classwise": classwise_calibration_error,
    "ece_sigmoid": _ece_sigmoid,
    "calibration_debiased": debiased_calibration_error,
    "calibration_worst_bin": maximum_calibration_error,
    "aurc": area_under_risk_coverage,
    "excess_aurc": excess_area_under_risk_coverage,
}
"""Every metric of probabilities and gold by its short name, for `bootstrap` and for tables."""

_MORE_CLASSES_THAN = {"top_2_accuracy": 2, "top_5_accuracy": 5}


def metrics_for(n_classes: int) -> dict[str, Metric]:
    """Return the METRICS that are informative with this number of classes: the top five of four are always right."""
    return {name: metric for name, metric in METRICS.items() if n_classes > _MORE_CLASSES_THAN.get(name, 0)}


def summary(
    probs: Array,
    gold: NDArray[np.int64] | None = None,
    votes: Votes | NDArray[np.int64] | None = None,
    *,
    seed: int = 0,
) -> dict[str, float]:
    """Return every score of predicted probabilities, from gold, from votes, or from both.

    Scores from gold are METRICS and the parts of Brier; those from votes are people_..., each with its ..._floor.

    Args:
        probs: (n, n_classes).
        gold: class indices, (n,), -1 = none.
        votes: Votes, or counts of votes, (n, n_classes).
        seed: of the draws of `against_people`.

    >>> scores = summary(np.array([[0.8, 0.2], [0.4, 0.6]]), np.array([0, 1]), np.array([[3, 0], [1, 2]]))
    >>> {name: round(scores[name], 2) for name in ("accuracy", "brier", "ece", "people_total_variation")}
    {'accuracy': 1.0, 'brier': 0.2, 'ece': 0.3, 'people_total_variation': 0.13}
    """
    scores: dict[str, float] = {}
    if gold is not None:
        probs, gold = checked(probs, gold)
        scores |= {name: metric(probs, gold) for name, metric in metrics_for(probs.shape[1]).items()}
        parts = brier_decomposition(probs, gold)
        scores |= {f"brier_{part}": value for part, value in vars(parts).items()}
    if votes is not None:
        distances = against_people(probs, votes, seed=seed)
        for name in DISTANCES:
            distance = getattr(distances, name)
            scores |= {f"people_{name}": distance.score, f"people_{name}_floor": distance.floor}
    return scores
