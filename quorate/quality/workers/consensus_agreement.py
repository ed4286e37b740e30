"""Agreement with the consensus."""

from dataclasses import dataclass

import numpy as np

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.inference.kernels import sum_at
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class ConsensusAgreement:
    """The share of a worker's votes that agree with the consensus.

    Model: mean over the worker's votes of p(task is of the class voted for).

    Use it when: you want a simple number that every method provides. The worker's own vote is part of the consensus, so
    the score is too high if there are few votes per task.

    Paper: none; the "worker agreement with aggregate" of common practice.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 1]])
    >>> ConsensusAgreement().score(votes, aggregate(votes, "majority")).tolist()
    [1.0, 1.0, 0.5]
    """

    def score(self, votes: Votes, posterior: Posterior) -> Array:
        """See WorkerScorer."""
        named = votes.worker >= 0
        right = posterior.probs[votes.task[named], votes.label[named]]
        total = sum_at(votes.worker[named], right, (votes.n_workers,))
        with np.errstate(invalid="ignore"):
            return total / votes.votes_per_worker
