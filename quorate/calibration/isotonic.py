"""Isotonic regression, one class against the rest."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import isotonic_regression

from quorate.calibration._soft_em import learn_in_rounds, normalised
from quorate.calibration.inputs import fit_inputs, transform_inputs
from quorate.typing import Array


@dataclass(kw_only=True, eq=False)
class Isotonic:
    """For every class the best map of its probability that never falls; then rows are made to sum to one.

    Model: p'(k) proportional to f_k(p(k)), f_k the least-squares fit of whether items are of class k among all
    functions that never fall, straight between the items' probabilities. So that nothing is ever ruled out, f_k stays
    half an item away from 0 and 1: from 1 / 2n to 1 - 1 / 2n. With likelihoods as targets, what each item is and the
    maps are found in turns (EM).

    Use it when: there are a thousand targets or more, and the error has no simple shape.

    Paper: Zadrozny and Elkan, "Transforming classifier scores into accurate multiclass probability estimates", 2002.

    >>> probs = [[0.9, 0.1], [0.8, 0.2], [0.7, 0.3], [0.6, 0.4]]
    >>> Isotonic().fit(probs, [0, 1, 0, 1]).transform([[0.75, 0.25], [0.1, 0.9]]).round(3).tolist()
    [[0.5, 0.5], [0.125, 0.875]]
    """

    def fit(self, probs: ArrayLike, targets: ArrayLike) -> Self:
        """See quorate.protocols.Calibrator."""
        rows, likelihood = fit_inputs(probs, targets)

        def learn(meant: Array) -> Any:
            self.maps_ = [never_falling(said, true) for said, true in zip(rows.T, meant.T, strict=True)]
            return self._scores

        learn_in_rounds(rows, likelihood, learn)
        return self

    def transform(self, probs: ArrayLike) -> Array:
        """Calibrated probabilities of any items: (n, n_classes)."""
        rows = transform_inputs(self, "maps_", probs, len(getattr(self, "maps_", ())))
        return normalised(self._scores(rows), rows)

    def state(self) -> dict[str, Any]:
        """What was learnt, in plain numbers."""
        return {"maps": [[places.tolist(), heights.tolist()] for places, heights in self.maps_]}

    def restore(self, state: dict[str, Any]) -> Self:
        """Take on what `state` gave."""
        self.maps_ = [(np.array(places), np.array(heights)) for places, heights in state["maps"]]
        return self

    def _scores(self, probs: Array) -> Array:
        columns = [np.interp(said, *learnt) for said, learnt in zip(probs.T, self.maps_, strict=True)]
        return np.column_stack(columns)


def never_falling(said: Array, true: Array) -> tuple[Array, Array]:
    """The best map that never falls, as its corners: (probabilities, what they become).

    >>> never_falling(np.array([0.1, 0.2, 0.2, 0.9]), np.array([1.0, 0.0, 0.0, 1.0]))[1].round(3).tolist()
    [0.333, 0.333, 0.875]
    """
    places, place = np.unique(said, return_inverse=True)
    items = np.bincount(place)
    heights = isotonic_regression(np.bincount(place, true) / items, weights=items).x
    edge = 0.5 / len(said)
    return places, np.clip(heights, edge, 1 - edge)
