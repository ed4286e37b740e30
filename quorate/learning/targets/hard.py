"""The most likely class of each task, taken for true."""

from dataclasses import dataclass

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.learning.targets.base import Targets, one_hot, per_task, taught_tasks


@dataclass(frozen=True, kw_only=True)
class Hard:
    """The most likely class of each task, taken for true; whatever method made the posterior.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 1]])
    >>> Hard().make(votes, aggregate(votes, "naive_soft")).probs.tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """

    def make(self, votes: Votes, posterior: Posterior) -> Targets:
        """Targets of all tasks that something is known of."""
        return per_task(one_hot(posterior.labels, votes.n_classes), taught_tasks(votes, posterior))
