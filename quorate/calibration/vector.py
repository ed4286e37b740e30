"""Vector scaling."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from quorate.calibration._optimise import minimise, normal_prior, softmax
from quorate.calibration.inputs import fit_inputs, log_probs, transform_inputs
from quorate.calibration.temperature import best_temperature
from quorate.calibration.tuning import TUNING
from quorate.data.option_checks import require_numbers
from quorate.typing import Array


@dataclass(kw_only=True, eq=False)
class Vector:
    """A weight and an offset for every class.

    Model: p' = softmax(w * log p + b), with w and b, (n_classes,) each, at which the targets are most likely. They have
    a normal prior with this `deviation` around b = 0 and w = 1, in units of 1 / T of map_temperature; infinity switches
    it off.

    Use it when: some classes are predicted too often or with too much confidence, others not, and there are some tens
    of targets per class.

    Paper: Guo, Pleiss, Sun and Weinberger, "On calibration of modern neural networks", 2017.

    >>> probs = [[0.8, 0.2]] * 8 + [[0.2, 0.8]] * 8  # the second class is predicted too often
    >>> calibrator = Vector().fit(probs, [0] * 8 + [1] * 4 + [0] * 4)
    >>> calibrator.transform([[0.2, 0.8]]).round(2).tolist()
    [[0.44, 0.56]]
    """

    deviation: float = 0.5

    def __post_init__(self) -> None:
        require_numbers(self, "deviation", above=0, finite=False)  # infinity: no prior

    def fit(self, probs: ArrayLike, targets: ArrayLike) -> Self:
        """See quorate.protocols.Calibrator."""
        rows, likelihood = fit_inputs(probs, targets)
        temperature = best_temperature(rows, likelihood, deviation=TUNING.temperature_deviation)
        features, n_classes = log_probs(rows) / temperature, rows.shape[1]
        start = np.repeat([1.0, 0.0], n_classes)
        parameters = minimise(
            lambda flat: flat[:n_classes] * features + flat[n_classes:],
            lambda gap: np.append((gap * features).sum(axis=0), gap.sum(axis=0)),
            start,
            likelihood,
            penalty=normal_prior(start, self.deviation, len(rows)),
        )
        self.weights_, self.offsets_ = parameters[:n_classes] / temperature, parameters[n_classes:]
        return self

    def transform(self, probs: ArrayLike) -> Array:
        """Return calibrated probabilities of any items: (n, n_classes)."""
        rows = transform_inputs(self, "weights_", probs, len(getattr(self, "weights_", ())))
        return softmax(self.weights_ * log_probs(rows) + self.offsets_)

    def state(self) -> dict[str, Any]:
        """Return the fitted parameters as plain numbers."""
        return {"weights": self.weights_.tolist(), "offsets": self.offsets_.tolist()}

    def restore(self, state: dict[str, Any]) -> Self:
        """Set the fitted parameters to those that `state` returned."""
        self.weights_, self.offsets_ = np.array(state["weights"]), np.array(state["offsets"])
        return self
