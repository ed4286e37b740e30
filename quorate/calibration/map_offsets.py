"""Temperature scaling and an offset per class, with priors."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from quorate.calibration._optimise import minimise, softmax
from quorate.calibration.inputs import fit_inputs, log_probs, transform_inputs
from quorate.data.option_checks import require_numbers
from quorate.typing import Array


@dataclass(kw_only=True, eq=False)
class MapOffsets:
    """One temperature for all predictions and one offset for every class, with priors that few targets do not move far.

    Model: p' = softmax(log p / T + b). log T has a normal prior around 0 with `temperature_deviation`, each offset in b
    one around 0 with `offset_deviation`.

    Use it when: there are few targets, a random sample of the items, and some classes are predicted too often. It is
    what `aggregate` does with gold labels. Targets that were picked by class shift the offsets: use map_temperature.

    Paper: Guo et al., "On calibration of modern neural networks", 2017, for temperature and offsets; the priors are
    Bayes' rule.

    >>> probs = [[0.8, 0.2]] * 8 + [[0.2, 0.8]] * 8  # the second class is predicted too often
    >>> calibrator = MapOffsets().fit(probs, [0] * 8 + [1] * 4 + [0] * 4)
    >>> calibrator.transform([[0.2, 0.8]]).round(2).tolist()
    [[0.41, 0.59]]
    """

    temperature_deviation: float = 0.3
    offset_deviation: float = 0.6

    def __post_init__(self) -> None:
        require_numbers(self, "temperature_deviation", "offset_deviation", above=0)

    def fit(self, probs: ArrayLike, targets: ArrayLike) -> Self:
        """See quorate.protocols.Calibrator."""
        rows, likelihood = fit_inputs(probs, targets)
        features, n_classes = log_probs(rows), rows.shape[1]
        deviations = np.append(self.temperature_deviation, np.full(n_classes, self.offset_deviation))
        inverse_temperature = 1.0

        def forward(parameters: Array) -> Array:
            nonlocal inverse_temperature
            inverse_temperature = float(np.exp(-parameters[0]))
            return features * inverse_temperature + parameters[1:]

        def backward(gap: Array) -> Array:
            return np.append(-inverse_temperature * (gap * features).sum(), gap.sum(axis=0))

        def penalty(parameters: Array) -> tuple[float, Array]:
            scaled = parameters / deviations**2 / len(rows)
            return 0.5 * float(scaled @ parameters), scaled

        bounds = [(-3.0, 3.0), *[(None, None)] * n_classes]
        parameters = minimise(forward, backward, np.zeros(n_classes + 1), likelihood, penalty=penalty, bounds=bounds)
        self.temperature_, self.offsets_ = float(np.exp(parameters[0])), parameters[1:]
        return self

    def transform(self, probs: ArrayLike) -> Array:
        """Return calibrated probabilities of any items: (n, n_classes)."""
        rows = transform_inputs(self, "offsets_", probs, len(getattr(self, "offsets_", ())))
        return softmax(log_probs(rows) / self.temperature_ + self.offsets_)

    def state(self) -> dict[str, Any]:
        """Return the fitted parameters as plain numbers."""
        return {"temperature": self.temperature_, "offsets": self.offsets_.tolist()}

    def restore(self, state: dict[str, Any]) -> Self:
        """Set the fitted parameters to those that `state` returned."""
        self.temperature_, self.offsets_ = float(state["temperature"]), np.array(state["offsets"])
        return self
