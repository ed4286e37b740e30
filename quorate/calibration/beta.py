"""Beta calibration, for two classes."""

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
class Beta:
    """Platt scaling with a slope per class: a classifier may be overconfident in one class and not in the other.

    Model: log-odds' = up * log p(1) - down * log p(0) + offset, up and down at least zero, at which the targets are
    most likely. They have a normal prior with this `deviation` around 1, 1 and 0, the slopes in units of 1 / T of
    map_temperature; infinity switches it off. It follows from probabilities that are beta-distributed within each true
    class.

    Use it when: there are two classes and a hundred targets or more, and platt leaves one class miscalibrated.

    Paper: Kull, Silva Filho and Flach, "Beta calibration", 2017.

    >>> probs = [[0.8, 0.2]] * 8 + [[0.2, 0.8]] * 8  # the second class is predicted too often
    >>> Beta().fit(probs, [0] * 8 + [1] * 4 + [0] * 4).transform([[0.2, 0.8]]).round(2).tolist()
    [[0.48, 0.52]]
    """

    deviation: float = 1.0

    def __post_init__(self) -> None:
        require_numbers(self, "deviation", above=0, finite=False)  # infinity: no prior

    def fit(self, probs: ArrayLike, targets: ArrayLike) -> Self:
        """See quorate.protocols.Calibrator."""
        rows, likelihood = fit_inputs(probs, targets)
        require_two_classes(self, rows)
        temperature = best_temperature(rows, likelihood, deviation=TUNING.temperature_deviation)
        features, start = _features(rows) / temperature, np.array([1.0, 1.0, 0.0])
        up, down, self.offset_ = minimise(
            lambda parameters: _scores(features, parameters),
            lambda gap: np.append(gap[:, 1] @ features, gap[:, 1].sum()),
            start,
            likelihood,
            penalty=normal_prior(start, self.deviation, len(rows)),
            bounds=[(0, None), (0, None), (None, None)],
        ).tolist()
        self.up_, self.down_ = up / temperature, down / temperature
        return self

    def transform(self, probs: ArrayLike) -> Array:
        """Return calibrated probabilities of any items: (n, 2)."""
        rows = transform_inputs(self, "offset_", probs, 2)
        return softmax(_scores(_features(rows), np.array([self.up_, self.down_, self.offset_])))

    def state(self) -> dict[str, Any]:
        """Return the fitted parameters as plain numbers."""
        return {"up": self.up_, "down": self.down_, "offset": self.offset_}

    def restore(self, state: dict[str, Any]) -> Self:
        """Set the fitted parameters to those that `state` returned."""
        self.up_, self.down_, self.offset_ = (float(state[name]) for name in ("up", "down", "offset"))
        return self


def _features(probs: Array) -> Array:
    """Return log p(1) and -log p(0): (n, 2)."""
    features: Array = log_probs(probs)[:, ::-1] * [1, -1]
    return features


def _scores(features: Array, parameters: Array) -> Array:
    """Return log-scores of both classes, (n, 2), from up, down and offset."""
    return np.column_stack([np.zeros(len(features)), features @ parameters[:2] + parameters[2]])
