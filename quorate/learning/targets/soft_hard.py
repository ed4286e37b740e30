"""The most likely class of each task, weighted by its probability."""

from dataclasses import dataclass

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.learning.targets.base import Targets, labelled_tasks, one_hot, per_task


@dataclass(frozen=True, kw_only=True)
class SoftHard:
    """The most likely class of each task, weighted by its probability: uncertain tasks have less weight.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 0, 1, 0], [1, 1, 1, 1]])
    >>> targets = SoftHard().make(votes, aggregate(votes, "naive_soft"))
    >>> targets.probs.tolist(), targets.weight.tolist()
    ([[1.0, 0.0], [0.0, 1.0]], [0.75, 1.0])
    """

    def make(self, votes: Votes, posterior: Posterior) -> Targets:
        """Return targets for all tasks with votes or a certain posterior."""
        hard = one_hot(posterior.labels, votes.n_classes)
        return per_task(hard, labelled_tasks(votes, posterior), posterior.confidence)
