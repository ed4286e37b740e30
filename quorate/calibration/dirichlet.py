"""Dirichlet calibration."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from quorate.calibration._optimise import minimise, softmax
from quorate.calibration.inputs import fit_inputs, log_probs, transform_inputs
from quorate.data.option_checks import require_numbers
from quorate.typing import Array


@dataclass(kw_only=True, eq=False)
class Dirichlet:
    """Softmax regression on the log-probabilities: each class also depends on the probabilities of all others.

    Model: p' = softmax(W log p + b), with the W, (n_classes, n_classes), and b at which the targets are most likely,
    minus off_diagonal * mean of the squared entries of W off its diagonal, minus offset * mean of b squared (ODIR). It
    follows from probabilities that are Dirichlet-distributed within each true class.

    Use it when: a classifier confuses certain classes with certain others, and there are a hundred targets per class or
    more. With fewer it fits noise: use vector or temperature.

    Paper: Kull et al., "Beyond temperature scaling: obtaining well-calibrated multiclass probabilities with Dirichlet
    calibration", 2019.

    >>> probs = [[0.6, 0.3, 0.1]] * 9 + [[0.3, 0.6, 0.1]] * 6 + [[0.1, 0.1, 0.8]] * 9
    >>> gold = [0] * 6 + [2] * 3 + [1] * 6 + [2] * 9  # a third of what is predicted as the first class is the third
    >>> Dirichlet(off_diagonal=1e-4, offset=1e-4).fit(probs, gold).transform(probs[:1]).round(1).tolist()
    [[0.7, 0.0, 0.3]]
    """

    off_diagonal: float = 1.0
    offset: float = 1.0

    def __post_init__(self) -> None:
        require_numbers(self, "off_diagonal", "offset", at_least=0)

    def fit(self, probs: ArrayLike, targets: ArrayLike) -> Self:
        """See quorate.protocols.Calibrator."""
        rows, likelihood = fit_inputs(probs, targets)
        features, n_classes = log_probs(rows), rows.shape[1]
        start = np.vstack([np.eye(n_classes), np.zeros(n_classes)])  # (n_classes + 1, n_classes), offsets last
        parameters = minimise(
            lambda flat: features @ flat[:-n_classes].reshape(n_classes, n_classes).T + flat[-n_classes:],
            lambda gap: np.append((gap.T @ features).ravel(), gap.sum(axis=0)),
            start.ravel(),
            likelihood,
            penalty=self._penalty,
        )
        table = parameters.reshape(n_classes + 1, n_classes)
        self.weights_, self.offsets_ = table[:-1], table[-1]
        return self

    def transform(self, probs: ArrayLike) -> Array:
        """Return calibrated probabilities of any items: (n, n_classes)."""
        rows = transform_inputs(self, "weights_", probs, len(getattr(self, "weights_", ())))
        return softmax(log_probs(rows) @ self.weights_.T + self.offsets_)

    def state(self) -> dict[str, Any]:
        """Return the fitted parameters as plain numbers."""
        return {"weights": self.weights_.tolist(), "offsets": self.offsets_.tolist()}

    def restore(self, state: dict[str, Any]) -> Self:
        """Set the fitted parameters to those that `state` returned."""
        self.weights_, self.offsets_ = np.array(state["weights"]), np.array(state["offsets"])
        return self

    def _penalty(self, flat: Array) -> tuple[float, Array]:
        n_classes = int(np.sqrt(len(flat)))
        weight = np.full((n_classes + 1, n_classes), self.off_diagonal / (n_classes * (n_classes - 1)))
        weight[np.arange(n_classes), np.arange(n_classes)] = 0.0
        weight[-1] = self.offset / n_classes
        half_gradient = weight.ravel() * flat
        return float(half_gradient @ flat), 2 * half_gradient
