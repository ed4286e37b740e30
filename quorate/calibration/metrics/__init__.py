"""How good probabilities are: right, calibrated, sharp, and close to what people say."""

from quorate.calibration.metrics.bins import Binning, Reliability, reliability
from quorate.calibration.metrics.calibration_error import expected_calibration_error
from quorate.calibration.metrics.proper import LEAST, log_loss
from quorate.calibration.metrics.right import accuracy, balanced_accuracy, macro_f1, top_k_accuracy
from quorate.calibration.metrics.selective import risk_coverage

__all__ = [
    "LEAST",
    "Binning",
    "Reliability",
    "accuracy",
    "balanced_accuracy",
    "expected_calibration_error",
    "log_loss",
    "macro_f1",
    "reliability",
    "risk_coverage",
    "top_k_accuracy",
]
