"""Difficulty of tasks under GLAD."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quorate.ambiguity._traces import nan_without_votes
from quorate.data.item_scores import End
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.protocols import Reads
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class GladDifficulty:
    """The difficulty of a task under GLAD: near 0 is easy, 1 is typical, and high is ambiguous.

    Model: 1 / b_i, where P(worker j is right about task i) = sigmoid(a_j * b_i): see the method `glad`. NaN if the
    posterior is by another method.

    Use it when: there are no features and several votes on each task: it distinguishes a hard task from one with bad
    workers.

    Paper: Whitehill et al., "Whose vote should count more: optimal integration of labels from labelers of unknown
    expertise", NeurIPS 2009. (Lefort et al., algorithm 3, calls b_i the difficulty; it is the easiness.)

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 1, 0, 1], [1, 1, 1, 1], [0, 0, 0, 0]])
    >>> difficulty = GladDifficulty().score(votes, aggregate(votes, "glad"))
    >>> int(difficulty.argmax())
    0
    """

    ambiguous: ClassVar[End] = "high"
    reads: ClassVar[Reads] = "votes"
    aggregated_by: ClassVar[str] = "glad"

    def score(self, votes: Votes, posterior: Posterior, trace: Array | None = None) -> Array:
        """See ItemScorer."""
        easiness = getattr(posterior.worker_model, "easiness", None)
        if easiness is None:
            return np.full(votes.n_tasks, np.nan)
        return nan_without_votes(votes, 1 / easiness)
