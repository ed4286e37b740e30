"""Constants of calibration that were tuned or chosen by hand: a prior, and when a calibrator is kept."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class TunedConstants:  # not Tuning: a public class with the name of its file would be listed as a calibrator
    """Tuned constants, grouped by the module that uses them. "Chosen by hand": no record says on what."""

    # When a calibrator is kept (cross_validation). Chosen by hand; docs/calibration.md shows how often it then harms
    gold_standard_errors: float = 1.0  # by which the log-likelihood of gold in other folds must rise
    vote_standard_errors: float = 2.0  # the same of votes: they err together, so they prove less
    min_items: int = 10  # items with targets, below which nothing is calibrated

    # Temperature from which vector, platt and beta start. Chosen by hand; map_temperature has the same default
    temperature_deviation: float = 0.5  # of log T: before any target is seen, T is from .4 to 2.7, 19 times of 20


TUNING = TunedConstants()
