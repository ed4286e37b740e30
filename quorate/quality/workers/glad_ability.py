"""Ability of workers under GLAD."""

from dataclasses import dataclass

import numpy as np

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.inference.responses import nan_without_votes
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class GladAbility:
    """The ability of GLAD: high is often right, 0 is guessing, below 0 is against the truth.

    Model: a_j in P(right) = sigmoid(a_j * b_i), b_i the easiness of the task. NaN if the posterior is by another
    method.

    Use it when: the posterior is by glad. Unlike an accuracy, it does not penalise a worker who got hard tasks.

    Paper: Whitehill et al., "Whose vote should count more: optimal integration of labels from labelers of unknown
    expertise", NeurIPS 2009.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 0]])
    >>> ability = GladAbility().score(votes, aggregate(votes, "glad"))
    >>> bool(ability[0] > ability[2])
    True
    """

    def score(self, votes: Votes, posterior: Posterior) -> Array:
        """See WorkerScorer."""
        ability = getattr(posterior.worker_model, "ability", None)  # by name: scores do not import methods
        if ability is None:
            return np.full(votes.n_workers, np.nan)
        return nan_without_votes(votes, ability[:-1])
