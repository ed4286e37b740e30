"""Agreement with other workers."""

from dataclasses import dataclass

import numpy as np

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.inference.kernels import sum_at
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class PeerAgreement:
    """The share of other votes on the same tasks that agree with the worker's.

    Model: sum_i (m_i - 1) / sum_i (n_i - 1) over the worker's votes, with n_i the votes on task i and m_i those of them
    that are equal to the worker's; anonymous votes count as others'. NaN for a worker whose tasks have no other votes.

    Use it when: you want a number that does not depend on a consensus. It is lower than consensus_agreement, since
    others err too, and low for a good worker in a bad crowd.

    Paper: none; the contribution of one worker to pairwise_agreement.

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
