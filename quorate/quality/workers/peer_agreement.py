"""Agreement with others."""

from dataclasses import dataclass

import numpy as np

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.inference.kernels import sum_at
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class PeerAgreement:
    """How often another vote on the same task says the same as the worker.

    Model: sum_i (n_i,said - 1) / sum_i (n_i - 1) over the worker's votes, n_i,said of the n_i votes on task i being
    equal to the worker's; anonymous votes count as others'. NaN for a worker who was always alone.

    Use it when: you want a figure that no consensus is behind. It is lower than consensus_agreement, since others err
    too, and low for a good worker in a bad crowd.

    Paper: none; one worker's part of pairwise_agreement.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 1]])
    >>> PeerAgreement().score(votes, aggregate(votes, "majority")).tolist()
    [0.75, 0.75, 0.5]
    """

    def score(self, votes: Votes, posterior: Posterior) -> Array:
        """See WorkerScorer."""
        same = (votes.counts().ravel()[votes.cell] - 1).astype(np.float64)
        others = (votes.votes_per_task[votes.task] - 1).astype(np.float64)
        shape = (votes.n_workers + 1,)
        with np.errstate(invalid="ignore"):
            return (sum_at(votes.voter, same, shape) / sum_at(votes.voter, others, shape))[:-1]
