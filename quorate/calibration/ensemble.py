"""Ensemble temperature scaling."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import minimize

from quorate.calibration.inputs import fit_inputs, transform_inputs
from quorate.calibration.temperature import at_temperature, best_temperature
from quorate.typing import Array


@dataclass(kw_only=True, eq=False)
class Ensemble:
    """A mixture of temperature scaling, the original probabilities and the uniform distribution.

    Model: p' = w1 * p^(1/T) + w2 * p + w3 / n_classes. T is that of `temperature`; then the weights, which sum to one,
    are those at which the targets are most likely (the optimum is unique).

    Use it when: one temperature does not fit, such as for a classifier that is confident and right on most items and
    guesses on some; and there are hundreds of targets.

    Paper: Zhang, Kailkhura and Han, "Mix-n-match: ensemble and compositional methods for uncertainty calibration",
    2020.

    >>> probs = [[0.9, 0.1]] * 4 + [[0.1, 0.9]] * 4
    >>> calibrator = Ensemble().fit(probs, [0, 0, 0, 1, 1, 1, 1, 0])  # right in three of four cases
    >>> calibrator.transform([[0.9, 0.1]]).round(3).tolist()
    [[0.75, 0.25]]
    """

    def fit(self, probs: ArrayLike, targets: ArrayLike) -> Self:
        """See quorate.protocols.Calibrator."""
        rows, likelihood = fit_inputs(probs, targets)
        self.temperature_ = best_temperature(rows, likelihood)
        parts = [(part * likelihood).sum(axis=1) for part in self._parts(rows)]
        self.weights_ = _best_weights(np.column_stack(parts))
        return self

    def transform(self, probs: ArrayLike) -> Array:
        """Return calibrated probabilities of any items: (n, n_classes)."""
        rows = transform_inputs(self, "weights_", probs)
        mixed: Array = np.tensordot(self.weights_, self._parts(rows), axes=1)
        return mixed

    def state(self) -> dict[str, Any]:
        """Return the fitted parameters as plain numbers."""
        return {"temperature": self.temperature_, "weights": self.weights_.tolist()}

    def restore(self, state: dict[str, Any]) -> Self:
        """Set the fitted parameters to those that `state` returned."""
        self.temperature_, self.weights_ = float(state["temperature"]), np.array(state["weights"])
        return self

    def _parts(self, probs: Array) -> Array:
        """Return the parts of the mixture: (3, n, n_classes)."""
        return np.stack([at_temperature(probs, self.temperature_), probs, np.full(probs.shape, 1 / probs.shape[1])])


def _best_weights(evidence: Array) -> Array:
    """Return the best weights of a mixture; evidence, (n, n_parts): the likelihood of each item by each part."""
    scaled = evidence / evidence.max(axis=1, keepdims=True)

    def objective(weights: Array) -> tuple[float, Array]:
        mixed = np.maximum(scaled @ weights, 1e-300)
        return -float(np.log(mixed).mean()), -(scaled / mixed[:, None]).mean(axis=0)

    n_parts = evidence.shape[1]
    optimum = minimize(
        objective,
        np.full(n_parts, 1 / n_parts),
        jac=True,
        method="SLSQP",
        bounds=[(0, 1)] * n_parts,
        constraints={"type": "eq", "fun": lambda weights: weights.sum() - 1, "jac": np.ones_like},
        options={"maxiter": 200, "ftol": 1e-12},
    )
    weights: Array = np.clip(optimum.x, 0, 1)
    return weights / weights.sum()
