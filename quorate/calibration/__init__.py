"""Calibrators: corrections of predicted probabilities, fitted to gold labels or to votes.

One file is one calibrator; `selection` has the function `calibrate`, which keeps a calibrator only if it helps, and
`cross_validation` the test of that. Measures of calibration are in `quorate.metrics`; a learner that is calibrated
out of fold is `quorate.learning.Calibrated`.
"""

from typing import TYPE_CHECKING

from quorate.registry.lazy import Exports, lazy_exports

if TYPE_CHECKING:
    from quorate.calibration.cross_validation import Calibration as Calibration
    from quorate.calibration.cross_validation import cross_calibrate as cross_calibrate
    from quorate.calibration.identity_calibrator import Identity as Identity
    from quorate.calibration.selection import SharesWarning as SharesWarning
    from quorate.calibration.selection import calibrate as calibrate
    from quorate.calibration.selection import vote_likelihoods as vote_likelihoods

# method classes: written by docs/write_map.py
if TYPE_CHECKING:
    from quorate.calibration.beta import Beta as Beta
    from quorate.calibration.dirichlet import Dirichlet as Dirichlet
    from quorate.calibration.ensemble import Ensemble as Ensemble
    from quorate.calibration.histogram import Histogram as Histogram
    from quorate.calibration.isotonic import Isotonic as Isotonic
    from quorate.calibration.map_offsets import MapOffsets as MapOffsets
    from quorate.calibration.map_temperature import MapTemperature as MapTemperature
    from quorate.calibration.platt import Platt as Platt
    from quorate.calibration.temperature import Temperature as Temperature
    from quorate.calibration.vector import Vector as Vector
# end of method classes

_EXPORTS: Exports = {  # besides the classes of methods
    "Calibration": ("quorate.calibration.cross_validation", "Calibration"),
    "Identity": ("quorate.calibration.identity_calibrator", "Identity"),
    "SharesWarning": ("quorate.calibration.selection", "SharesWarning"),
    "calibrate": ("quorate.calibration.selection", "calibrate"),
    "cross_calibrate": ("quorate.calibration.cross_validation", "cross_calibrate"),
    "vote_likelihoods": ("quorate.calibration.selection", "vote_likelihoods"),
}

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__, _EXPORTS, with_methods=True)
