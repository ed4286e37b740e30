"""Platt scaling, for two classes."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from quorate.calibration._optimise import minimise, normal_prior, softmax
from quorate.calibration.inputs import (
    fit_inputs,
    log_probs,
    require_two_classes,
    transform_inputs,
)
from quorate.calibration.temperature import best_temperature
from quorate.calibration.tuning import TUNING
from quorate.data.option_checks import require_numbers
from quorate.typing import Array


@dataclass(kw_only=True, eq=False)
class Platt:
    """Logistic regression on the log-odds of two classes.

    Model: log-odds' = slope * log-odds + offset, at which the targets are most likely. Both have a normal prior with
    this `deviation` around offset 0 and a slope of 1, in units of 1 / T of map_temperature; infinity switches it off.

    Use it when: there are two classes, one of which is predicted too often, and some tens of targets.

    Paper: Platt, "Probabilistic outputs for support vector machines", 1999.

    >>> probs = [[0.8, 0.2]] * 8 + [[0.2, 0.8]] * 8  # the second class is predicted too often
    >>> Platt().fit(probs, [0] * 8 + [1] * 4 + [0] * 4).transform([[0.2, 0.8]]).round(2).tolist()
    [[0.44, 0.56]]
    """

    deviation: float = 1.0

    def __post_init__(self) -> None:
        require_numbers(self, "deviation", above=0, finite=False)  # infinity: no prior

    def fit(self, probs: ArrayLike, targets: ArrayLike) -> Self:
        """See quorate.protocols.Calibrator."""
        rows, likelihood = fit_inputs(probs, targets)
        require_two_classes(self, rows)
        temperature = best_temperature(rows, likelihood, deviation=TUNING.temperature_deviation)
        odds, start = _log_odds(rows) / temperature, np.array([1.0, 0.0])
        slope, self.offset_ = minimise(
            lambda parameters: _scores(parameters[0] * odds + parameters[1]),
            lambda gap: np.array([gap[:, 1] @ odds, gap[:, 1].sum()]),
            start,
            likelihood,
            penalty=normal_prior(start, self.deviation, len(rows)),
        ).tolist()
        self.slope_ = slope / temperature
        return self

    def transform(self, probs: ArrayLike) -> Array:
        """Return calibrated probabilities of any items: (n, 2)."""
        rows = transform_inputs(self, "slope_", probs, 2)
        return softmax(_scores(self.slope_ * _log_odds(rows) + self.offset_))

    def state(self) -> dict[str, Any]:
        """Return the fitted parameters as plain numbers."""
        return {"slope": self.slope_, "offset": self.offset_}

    def restore(self, state: dict[str, Any]) -> Self:
        """Set the fitted parameters to those that `state` returned."""
        self.slope_, self.offset_ = float(state["slope"]), float(state["offset"])
        return self


def _log_odds(probs: Array) -> Array:
    logs = log_probs(probs)
    odds: Array = logs[:, 1] - logs[:, 0]
    return odds


def _scores(odds: Array) -> Array:
    """Return log-scores of both classes, (n, 2), from the log-odds of the second."""
    return np.column_stack([np.zeros(len(odds)), odds])
