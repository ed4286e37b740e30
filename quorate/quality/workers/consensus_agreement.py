"""Agreement with the consensus of the others."""

from dataclasses import dataclass

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.quality.leave_one_out import worker_agreement
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class ConsensusAgreement:
    """The share of a worker's votes that agree with the consensus of the task without this vote (leave-one-out).

    Model: mean over the worker's votes of [the label is the most likely class given the other votes on the task]; tied
    classes share it. If the method has a worker model, the likelihood of the vote is removed from the posterior of the
    task; if not, the other votes are counted. Votes on tasks with neither other votes nor gold are not compared.

    Use it when: you rank workers. On real sets it follows the true accuracy of workers more closely than `accuracy`
    does, above all with many classes, where the matrices of a model are shrunk. A worker's own vote does not count as
    evidence that the worker is right.

    Paper: none; the "worker agreement with aggregate" of common practice, with the vote left out.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 0, 0, 1], [1, 1, 1, 1]])
    >>> ConsensusAgreement().score(votes, aggregate(votes, "majority")).tolist()
    [1.0, 1.0, 1.0, 0.5]
    """

    def score(self, votes: Votes, posterior: Posterior) -> Array:
        """See WorkerScorer."""
        return worker_agreement(votes, posterior).share
