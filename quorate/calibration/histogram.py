"""Histogram binning, one class against the rest."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from quorate.calibration._soft_em import fit_by_em, normalise
from quorate.calibration.inputs import fit_inputs, transform_inputs
from quorate.data.option_checks import require_numbers
from quorate.typing import Array


@dataclass(kw_only=True, eq=False)
class Histogram:
    """For every class, bins of its probability, each with the share of its items that belong to the class.

    Model: p'(k) proportional to the share of the bin of p(k): (items of class k + mean p(k)) / (items + 1), where the
    additional item, of class k with the mean probability, keeps shares away from 0 and 1. The `bins` have about equally
    many items. With likelihoods as targets, the posteriors of items and the shares are estimated in turns (EM).

    Use it when: there are thousands of targets and the fit must be easy to read. isotonic is as flexible and smoother.

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
        self.edges_ = [_edges(class_probs, self.bins) for class_probs in rows.T]

        def fit_map(soft_targets: Array) -> Any:
            columns = zip(rows.T, soft_targets.T, self.edges_, strict=True)
            self.shares_ = [_shares(class_probs, target, edges) for class_probs, target, edges in columns]
            return self._scores

        fit_by_em(rows, likelihood, fit_map)
        return self

    def transform(self, probs: ArrayLike) -> Array:
        """Return calibrated probabilities of any items: (n, n_classes)."""
        rows = transform_inputs(self, "shares_", probs, len(getattr(self, "shares_", ())))
        return normalise(self._scores(rows), rows)

    def state(self) -> dict[str, Any]:
        """Return the fitted parameters as plain numbers."""
        edges, shares = ([array.tolist() for array in arrays] for arrays in (self.edges_, self.shares_))
        return {"edges": edges, "shares": shares}

    def restore(self, state: dict[str, Any]) -> Self:
        """Set the fitted parameters to those that `state` returned."""
        self.edges_ = [np.array(edges) for edges in state["edges"]]
        self.shares_ = [np.array(shares) for shares in state["shares"]]
        return self

    def _scores(self, probs: Array) -> Array:
        columns = zip(probs.T, self.edges_, self.shares_, strict=True)
        return np.column_stack([shares[_bin_of(class_probs, edges)] for class_probs, edges, shares in columns])


def _edges(class_probs: Array, bins: int) -> Array:
    """Return the inner edges of the bins: `bins` - 1, or fewer if many probabilities are equal.

    They lie between observed probabilities, so that no bin is empty.
    """
    ordered = np.sort(class_probs)
    ends = np.linspace(0, len(class_probs), bins + 1)[1:-1].round().astype(np.int64)
    cuts = np.searchsorted(ordered, ordered[ends[(ends > 0) & (ends < len(ordered))]])  # the first of equal ones
    cuts = np.unique(cuts[cuts > 0])
    edges: Array = (ordered[cuts - 1] + ordered[cuts]) / 2
    return edges


def _bin_of(class_probs: Array, edges: Array) -> Any:
    return np.searchsorted(edges, class_probs)


def _shares(class_probs: Array, target: Array, edges: Array) -> Array:
    bin_of, size = _bin_of(class_probs, edges), len(edges) + 1
    items, total = np.bincount(bin_of, minlength=size), np.bincount(bin_of, class_probs, size)
    shares: Array = (np.bincount(bin_of, target, size) + total / items) / (items + 1)
    return shares
