"""Histogram binning, one class against the rest."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from quorate.calibration._soft_em import learn_in_rounds, normalised
from quorate.calibration.inputs import fit_inputs, transform_inputs
from quorate.data.option_checks import require_numbers
from quorate.typing import Array


@dataclass(kw_only=True, eq=False)
class Histogram:
    """For every class, bins of its probability, each with the share of its items that are of the class.

    Model: p'(k) proportional to the share of the bin in which p(k) falls: (items of class k + mean p(k)) / (items + 1),
    where the one item more, which is as was said, keeps shares away from 0 and 1. The `bins` have about as many items
    each. With likelihoods as targets, what each item is and the shares are found in turns (EM).

    Use it when: there are thousands of targets and what was learnt must be read at a glance. isotonic is as free and
    smoother.

    Paper: Zadrozny and Elkan, "Obtaining calibrated probability estimates from decision trees and naive Bayesian
    classifiers", 2001.

    >>> probs = [[0.9, 0.1]] * 4 + [[0.2, 0.8]] * 4
    >>> calibrator = Histogram(bins=2).fit(probs, [0, 0, 0, 1, 1, 1, 1, 1])
    >>> calibrator.transform([[0.9, 0.1]]).round(2).tolist()  # (3 + .9) / 5 and (1 + .1) / 5
    [[0.78, 0.22]]
    """

    bins: int = 15

    def __post_init__(self) -> None:
        require_numbers(self, "bins", at_least=1)

    def fit(self, probs: ArrayLike, targets: ArrayLike) -> Self:
        """See quorate.protocols.Calibrator."""
        rows, likelihood = fit_inputs(probs, targets)
        self.edges_ = [_edges(said, self.bins) for said in rows.T]

        def learn(meant: Array) -> Any:
            columns = zip(rows.T, meant.T, self.edges_, strict=True)
            self.shares_ = [_shares(said, true, edges) for said, true, edges in columns]
            return self._scores

        learn_in_rounds(rows, likelihood, learn)
        return self

    def transform(self, probs: ArrayLike) -> Array:
        """Calibrated probabilities of any items: (n, n_classes)."""
        rows = transform_inputs(self, "shares_", probs, len(getattr(self, "shares_", ())))
        return normalised(self._scores(rows), rows)

    def state(self) -> dict[str, Any]:
        """What was learnt, in plain numbers."""
        return {"edges": [edges.tolist() for edges in self.edges_], "shares": [each.tolist() for each in self.shares_]}

    def restore(self, state: dict[str, Any]) -> Self:
        """Take on what `state` gave."""
        self.edges_ = [np.array(edges) for edges in state["edges"]]
        self.shares_ = [np.array(shares) for shares in state["shares"]]
        return self

    def _scores(self, probs: Array) -> Array:
        columns = zip(probs.T, self.edges_, self.shares_, strict=True)
        return np.column_stack([shares[_bin_of(said, edges)] for said, edges, shares in columns])


def _edges(said: Array, bins: int) -> Array:
    """Where one bin ends and the next begins: fewer than `bins` - 1 places where many probabilities are the same.

    They lie between probabilities that are there, so that no bin is empty.
    """
    ordered = np.sort(said)
    ends = np.linspace(0, len(said), bins + 1)[1:-1].round().astype(np.int64)
    cuts = np.searchsorted(ordered, ordered[ends[(ends > 0) & (ends < len(said))]])  # the first of those alike
    cuts = np.unique(cuts[cuts > 0])
    edges: Array = (ordered[cuts - 1] + ordered[cuts]) / 2
    return edges


def _bin_of(said: Array, edges: Array) -> Any:
    return np.searchsorted(edges, said)


def _shares(said: Array, true: Array, edges: Array) -> Array:
    place, size = _bin_of(said, edges), len(edges) + 1
    items, mean = np.bincount(place, minlength=size), np.bincount(place, said, size)
    shares: Array = (np.bincount(place, true, size) + mean / items) / (items + 1)
    return shares
