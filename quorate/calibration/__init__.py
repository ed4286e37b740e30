"""Calibrators: they correct predicted probabilities by gold labels or by votes.

One file is one calibrator; `selection` has the function `calibrate`, which keeps a calibrator only where it helps, and
`cross_validation` how that is checked. Measures of calibration are in `quorate.metrics`; a learner that is calibrated
out of fold is `quorate.learning.Calibrated`.
"""

from typing import TYPE_CHECKING

from quorate.registry.lazy import Exports, lazy_exports

if TYPE_CHECKING:
    from quorate.calibration.beta import Beta
    from quorate.calibration.cross_validation import Calibration, cross_calibrate
    from quorate.calibration.dirichlet import Dirichlet
    from quorate.calibration.ensemble import Ensemble
    from quorate.calibration.histogram import Histogram
    from quorate.calibration.identity_calibrator import Identity
    from quorate.calibration.isotonic import Isotonic
    from quorate.calibration.map_temperature import MapTemperature
    from quorate.calibration.platt import Platt
    from quorate.calibration.selection import SharesWarning, calibrate, vote_likelihoods
    from quorate.calibration.temperature import Temperature
    from quorate.calibration.vector import Vector

_EXPORTS: Exports = {
    "Beta": ("quorate.calibration.beta", "Beta"),
    "Calibration": ("quorate.calibration.cross_validation", "Calibration"),
    "Dirichlet": ("quorate.calibration.dirichlet", "Dirichlet"),
    "Ensemble": ("quorate.calibration.ensemble", "Ensemble"),
    "Histogram": ("quorate.calibration.histogram", "Histogram"),
    "Identity": ("quorate.calibration.identity_calibrator", "Identity"),
    "Isotonic": ("quorate.calibration.isotonic", "Isotonic"),
    "MapTemperature": ("quorate.calibration.map_temperature", "MapTemperature"),
    "Platt": ("quorate.calibration.platt", "Platt"),
    "SharesWarning": ("quorate.calibration.selection", "SharesWarning"),
    "Temperature": ("quorate.calibration.temperature", "Temperature"),
    "Vector": ("quorate.calibration.vector", "Vector"),
    "calibrate": ("quorate.calibration.selection", "calibrate"),
    "cross_calibrate": ("quorate.calibration.cross_validation", "cross_calibrate"),
    "vote_likelihoods": ("quorate.calibration.selection", "vote_likelihoods"),
}

__all__ = [
    "Beta",
    "Calibration",
    "Dirichlet",
    "Ensemble",
    "Histogram",
    "Identity",
    "Isotonic",
    "MapTemperature",
    "Platt",
    "SharesWarning",
    "Temperature",
    "Vector",
    "calibrate",
    "cross_calibrate",
    "vote_likelihoods",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__, _EXPORTS)
