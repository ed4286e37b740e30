"""The posterior itself."""

from dataclasses import dataclass

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.learning.targets.base import Targets, labelled_tasks, per_task


@dataclass(frozen=True, kw_only=True)
class Soft:
    """The posterior itself, which keeps its uncertainty.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 0, 1, 1], [1, 1, 1, 0]])
    >>> Soft().make(votes, aggregate(votes, "naive_soft")).probs.tolist()
    [[0.5, 0.5], [0.25, 0.75]]
    """

    def make(self, votes: Votes, posterior: Posterior) -> Targets:
        """Return targets for all tasks with votes or a certain posterior."""
        return per_task(posterior.probs, labelled_tasks(votes, posterior))
