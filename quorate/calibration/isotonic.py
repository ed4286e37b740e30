"""Isotonic regression, one class against the rest."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import isotonic_regression

from quorate.calibration._soft_em import fit_by_em, normalise
from quorate.calibration.inputs import fit_inputs, transform_inputs
from quorate.typing import Array


@dataclass(kw_only=True, eq=False)
class Isotonic:
    """For every class the best non-decreasing map of its probability; then rows are scaled to sum to one.

    Model: p'(k) proportional to f_k(p(k)), where f_k is the least-squares fit of whether items belong to class k among
    all non-decreasing functions, linear between the probabilities of the items. So that no class is ever excluded, f_k
    stays half an item away from 0 and 1: from 1 / 2n to 1 - 1 / 2n. With likelihoods as targets, the posteriors of
    items and the maps are estimated in turns (EM).

    Use it when: there are a thousand targets or more, and the miscalibration has no simple form.

    Paper: Zadrozny and Elkan, "Transforming classifier scores into accurate multiclass probability estimates", 2002.

    >>> probs = [[0.9, 0.1], [0.8, 0.2], [0.7, 0.3], [0.6, 0.4]]
    >>> Isotonic().fit(probs, [0, 1, 0, 1]).transform([[0.75, 0.25], [0.1, 0.9]]).round(3).tolist()
    [[0.5, 0.5], [0.125, 0.875]]
    """

    def fit(self, probs: ArrayLike, targets: ArrayLike) -> Self:
        """See quorate.protocols.Calibrator."""
        rows, likelihood = fit_inputs(probs, targets)

        def fit_map(soft_targets: Array) -> Any:
            columns = zip(rows.T, soft_targets.T, strict=True)
            self.maps_ = [fit_monotone(class_probs, target) for class_probs, target in columns]
            return self._scores

        fit_by_em(rows, likelihood, fit_map)
        return self

    def transform(self, probs: ArrayLike) -> Array:
        """Return calibrated probabilities of any items: (n, n_classes)."""
        rows = transform_inputs(self, "maps_", probs, len(getattr(self, "maps_", ())))
        return normalise(self._scores(rows), rows)

    def state(self) -> dict[str, Any]:
        """Return the fitted parameters as plain numbers."""
        return {"maps": [[points.tolist(), values.tolist()] for points, values in self.maps_]}

    def restore(self, state: dict[str, Any]) -> Self:
        """Set the fitted parameters to those that `state` returned."""
        self.maps_ = [(np.array(points), np.array(values)) for points, values in state["maps"]]
        return self

    def _scores(self, probs: Array) -> Array:
        columns = [np.interp(class_probs, *fitted) for class_probs, fitted in zip(probs.T, self.maps_, strict=True)]
        return np.column_stack(columns)


def fit_monotone(class_probs: Array, target: Array) -> tuple[Array, Array]:
    """Return the best non-decreasing map as its points: (probabilities, their values).

    >>> fit_monotone(np.array([0.1, 0.2, 0.2, 0.9]), np.array([1.0, 0.0, 0.0, 1.0]))[1].round(3).tolist()
    [0.333, 0.333, 0.875]
    """
    points, index = np.unique(class_probs, return_inverse=True)
    items = np.bincount(index)
    values = isotonic_regression(np.bincount(index, target) / items, weights=items).x
    edge = 0.5 / len(class_probs)
    return points, np.clip(values, edge, 1 - edge)
