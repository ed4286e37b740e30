"""One item at once: what a live service does when a vote comes in."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from quorate.data.posterior import Array
from quorate.decision.crowd_model import mistaken_for
from quorate.decision.fusion._machine import LEAST
from quorate.decision.fusion.difficulty import FusedByDifficulty
from quorate.decision.fusion.log_linear import FusedLogLinear

Indices = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class OneItem:
    """The posterior of single items under a fitted model: what the model says of a pool of one, in microseconds.

    What does not depend on the item is worked out once.

    >>> from quorate import Votes
    >>> from quorate.decision.fusion.difficulty import Difficulty
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]])
    >>> model = Difficulty().fit(votes, {})
    >>> alone = OneItem(model).posterior(None, np.array([0, 1, 2]), np.array([0, 0, 1]))
    >>> bool(np.allclose(alone, model.posterior(votes, {})[0]))
    True
    """

    model: FusedLogLinear | FusedByDifficulty

    def posterior(self, machine: Array | None, workers: Indices, said: Indices) -> Array:
        """Probability of each class from what a machine says, (n_classes,) or None, and from votes.

        workers: indices into the names of the model's crowd, -1 = unknown. said: the class that each said.
        """
        prior = self._prior(machine)
        if isinstance(self.model, FusedLogLinear):
            scores = self._table[workers, said].sum(axis=0) if len(said) else 0.0
            return _normal(np.exp(scores - np.max(scores)) * prior)
        scores = self._table[:, workers, said].sum(axis=1) + self._log_shares  # (n_levels, n_classes)
        if not len(said):
            return _normal(prior)
        first = self._weighed(scores, prior)
        return self._weighed(scores + self._levels * self._without(workers, said, first), prior)

    def _weighed(self, scores: Array, prior: Array) -> Array:
        looks = np.exp(scores - scores.max()).sum(axis=0)  # like each class
        return _normal(prior * (self._seen_as @ looks))

    def _prior(self, machine: Array | None) -> Array:
        if machine is None:
            return self.model.class_prior
        prior = np.maximum(machine, LEAST) ** self.model.weight * self._beside_machine
        return (1 - self.model.doubt) * _normal(prior) + self.model.doubt * self.model.class_prior

    @cached_property
    def _beside_machine(self) -> Array:
        weight = self.model.weight
        beside: Array = self.model.class_prior ** max(0.0, 1 - weight)
        if isinstance(self.model, FusedByDifficulty):
            beside = beside * np.exp(weight * self.model.shift)
        return beside

    @cached_property
    def _table(self) -> Array:
        if isinstance(self.model, FusedLogLinear):
            return self.model.sway * self.model.crowd.log_table
        return self.model.tables

    @cached_property
    def _log_shares(self) -> Array:
        assert isinstance(self.model, FusedByDifficulty)
        return np.log(self.model.level_shares)[:, None]

    @cached_property
    def _seen_as(self) -> Array:
        """How likely a task of each class looks like one of each: (true, looks like)."""
        assert isinstance(self.model, FusedByDifficulty)
        deceptive, n_classes = self.model.deceptive, len(self.model.class_prior)
        return (1 - deceptive) * np.eye(n_classes) + deceptive * mistaken_for(self.model.crowd.pool)

    @cached_property
    def _levels(self) -> Array:
        assert isinstance(self.model, FusedByDifficulty)
        return np.array(self.model.levels)[:, None]

    @cached_property
    def _asked(self) -> Array:
        asked: Array = self.model.crowd.counts.sum(axis=2)
        return asked

    def _without(self, workers: Indices, said: Indices, probs: Array) -> Array:
        """What leaving the item out of the matrices takes off; see Crowd.without."""
        crowd = self.model.crowd
        given, asked = crowd.counts[workers, :, said], self._asked[workers]
        pseudo = crowd.own * crowd.pool[:, said].T
        taken = np.log1p(-np.minimum(probs, given) / (given + pseudo))
        taken -= np.log1p(-np.minimum(probs, asked) / (asked + crowd.own))
        total: Array = taken[workers >= 0].sum(axis=0)
        return total


def _normal(weights: Array) -> Array:
    return weights / weights.sum()
