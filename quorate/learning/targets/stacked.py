"""One example per vote."""

from dataclasses import dataclass

import numpy as np

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.learning.targets.base import Targets, one_hot


@dataclass(frozen=True, kw_only=True)
class Stacked:
    """One example per vote: a task with three votes occurs three times.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 1], [1, 1]])
    >>> targets = Stacked().make(votes, aggregate(votes))
    >>> targets.task.tolist(), targets.probs.argmax(axis=1).tolist()
    ([0, 0, 1, 1], [0, 1, 1, 1])
    """

    def make(self, votes: Votes, posterior: Posterior) -> Targets:
        """Return one example per vote; the posterior is ignored."""
        task = votes.task.astype(np.int64)
        probs = one_hot(votes.label.astype(np.int64), votes.n_classes)
        return Targets(task, probs, np.ones(len(votes)), np.arange(len(votes)))
