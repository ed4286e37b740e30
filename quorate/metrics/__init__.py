"""Measures of predicted probabilities: accuracy, calibration error, proper scores, distance to votes.

They compare predictions with gold labels or with votes. Scores that need votes only are in `quorate.quality` and
`quorate.ambiguity`; bounds on the error of decisions are in `quorate.audit`; figures are in `quorate.plots`.
"""

from quorate.metrics.bootstrap_interval import Interval, Metric, bootstrap
from quorate.metrics.calibration_error import (
    adaptive_calibration_error,
    classwise_calibration_error,
    debiased_calibration_error,
    expected_calibration_error,
    maximum_calibration_error,
    root_mean_square_calibration_error,
    sigmoid_reading,
)
from quorate.metrics.classification_scores import accuracy, balanced_accuracy, macro_f1, top_k_accuracy
from quorate.metrics.distance_to_votes import AgainstPeople, Distance, against_people
from quorate.metrics.metric_summary import METRICS, metrics_for, summary
from quorate.metrics.proper_scores import LEAST, BrierParts, brier, brier_decomposition, log_loss
from quorate.metrics.reliability_bins import Binning, Reliability, reliability
from quorate.metrics.risk_coverage_curve import area_under_risk_coverage, excess_area_under_risk_coverage, risk_coverage

__all__ = [
    "LEAST",
    "METRICS",
    "AgainstPeople",
    "Binning",
    "BrierParts",
    "Distance",
    "Interval",
    "Metric",
    "Reliability",
    "accuracy",
    "adaptive_calibration_error",
    "against_people",
    "area_under_risk_coverage",
    "balanced_accuracy",
    "bootstrap",
    "brier",
    "brier_decomposition",
    "classwise_calibration_error",
    "debiased_calibration_error",
    "excess_area_under_risk_coverage",
    "expected_calibration_error",
    "log_loss",
    "macro_f1",
    "maximum_calibration_error",
    "metrics_for",
    "reliability",
    "risk_coverage",
    "root_mean_square_calibration_error",
    "sigmoid_reading",
    "summary",
    "top_k_accuracy",
]


def __dir__() -> list[str]:
    return sorted(__all__)
