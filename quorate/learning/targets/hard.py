"""The most likely class of each task, treated as true."""

from dataclasses import dataclass

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.learning.targets.base import Targets, labelled_tasks, one_hot, per_task


@dataclass(frozen=True, kw_only=True)
class Hard:
    """The most likely class of each task, treated as true; works with any method of aggregation.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 1]])
    >>> Hard().make(votes, aggregate(votes, "naive_soft")).probs.tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """

    def make(self, votes: Votes, posterior: Posterior) -> Targets:
        """Return targets for all tasks with votes or a certain posterior."""
        return per_task(one_hot(posterior.labels, votes.n_classes), labelled_tasks(votes, posterior))
