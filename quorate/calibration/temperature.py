"""Temperature scaling."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from quorate.calibration._optimise import loss, minimise_scalar, softmax
from quorate.calibration.inputs import fit_inputs, log_probs, transform_inputs
from quorate.typing import Array

MIN_TEMPERATURE, MAX_TEMPERATURE = 0.05, 20.0


@dataclass(kw_only=True, eq=False)
class Temperature:
    """One number that decreases or increases the confidence of all predictions; the order of the classes stays.

    Model: p'(k) proportional to p(k)^(1 / T), with the T from .05 to 20 at which the targets are most likely.

    Use it when: a classifier is equally overconfident or underconfident in all classes, as networks are; try it first.
    With fewer than about fifty targets, map_temperature is safer.

    Paper: Guo, Pleiss, Sun and Weinberger, "On calibration of modern neural networks", 2017.

    >>> probs = [[0.9, 0.1], [0.9, 0.1], [0.9, 0.1], [0.1, 0.9]]
    >>> calibrator = Temperature().fit(probs, [0, 0, 1, 1])  # right in three of four cases, with a confidence of .9
    >>> round(calibrator.temperature_, 3), calibrator.transform([[0.9, 0.1]]).round(3).tolist()
    (2.0, [[0.75, 0.25]])
    """

    def fit(self, probs: ArrayLike, targets: ArrayLike) -> Self:
        """See quorate.protocols.Calibrator."""
        self.temperature_ = best_temperature(*fit_inputs(probs, targets))
        return self

    def transform(self, probs: ArrayLike) -> Array:
        """Return calibrated probabilities of any items: (n, n_classes)."""
        rows = transform_inputs(self, "temperature_", probs)
        return at_temperature(rows, self.temperature_)

    def state(self) -> dict[str, Any]:
        """Return the fitted parameters as plain numbers."""
        return {"temperature": self.temperature_}

    def restore(self, state: dict[str, Any]) -> Self:
        """Set the fitted parameters to those that `state` returned."""
        self.temperature_ = float(state["temperature"])
        return self


def at_temperature(probs: Array, temperature: float) -> Array:
    """Return probabilities proportional to p^(1 / temperature); a temperature above one lowers the confidence."""
    return softmax(log_probs(probs) / temperature)


def best_temperature(probs: Array, likelihood: Array, *, deviation: float = np.inf) -> float:
    """Return the temperature with the lowest loss; `deviation` is that of a normal prior of its logarithm around 0."""
    scores = log_probs(probs)

    def objective(log_temperature: float) -> float:
        prior = 0.5 * (log_temperature / deviation) ** 2 / len(scores)
        return loss(scores / np.exp(log_temperature), likelihood)[0] + prior

    return float(np.exp(minimise_scalar(objective, np.log(MIN_TEMPERATURE), np.log(MAX_TEMPERATURE))))
