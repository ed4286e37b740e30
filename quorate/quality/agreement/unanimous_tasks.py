"""Share of tasks on which all votes agree."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.quality.task_sums import ratio, score_sums
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class UnanimousTasks:
    """The share of tasks on which all votes agree, among tasks with two votes or more.

    Model: mean over tasks with two votes or more of [all votes are for one class].

    Use it when: you want to know how many tasks need no second look. It falls as tasks get more votes, so compare it
    only between sets with equally many votes per task.

    Paper: none; a plain statistic.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 0, 0], [0, 1, 1]])
    >>> UnanimousTasks().score(votes, aggregate(votes, "majority"))
    0.5
    """

    bounds: ClassVar[tuple[float, float]] = (0, 1)

    def score(self, votes: Votes, posterior: Posterior) -> float:
        """See Agreement."""
        return score_sums(self, votes)

    def task_parts(self, votes: Votes) -> Array:
        """See TaskSums."""
        paired = votes.votes_per_task >= 2
        unanimous = votes.counts()[paired].max(axis=1) == votes.votes_per_task[paired]
        return np.column_stack([unanimous, np.ones(len(unanimous))])

    def from_sums(self, sums: Array) -> Array:
        """See TaskSums."""
        return ratio(sums[..., 0], sums[..., 1])
