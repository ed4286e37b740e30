"""How good probabilities are: right, calibrated, sharp, and close to what people say."""

from quorate.calibration.metrics.bins import Binning, Reliability, reliability
from quorate.calibration.metrics.brier_score import BrierParts, brier, brier_decomposition
from quorate.calibration.metrics.calibration_error import (
    adaptive_calibration_error,
    classwise_calibration_error,
    debiased_calibration_error,
    expected_calibration_error,
    maximum_calibration_error,
    root_mean_square_calibration_error,
    sigmoid_reading,
)
from quorate.calibration.metrics.intervals import Interval, Metric, bootstrap
from quorate.calibration.metrics.overview import METRICS, metrics_for, summary
from quorate.calibration.metrics.people import AgainstPeople, Distance, against_people
from quorate.calibration.metrics.proper import LEAST, log_loss
from quorate.calibration.metrics.right import accuracy, balanced_accuracy, macro_f1, top_k_accuracy
from quorate.calibration.metrics.selective import (
    area_under_risk_coverage,
    excess_area_under_risk_coverage,
    risk_coverage,
)

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
