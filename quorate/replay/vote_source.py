"""Recorded votes that are shown one at a time, as they are bought."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.data.votes import Votes


class VoteSource:
    """Recorded votes, and how many of each task have been shown.

    Args:
        votes: the recorded votes.
        order: indices of the votes in the order in which they are shown; only the order within a task matters.

    >>> source = VoteSource(Votes.from_matrix([[0, 1], [1, -1]]), np.array([2, 1, 0]))
    >>> source.show(np.array([0, 1]))
    >>> source.votes().label.tolist(), source.left.tolist()
    ([1, 1], [1, 0])
    """

    def __init__(self, votes: Votes, order: NDArray[np.int64]) -> None:
        self.recorded = votes
        self.order = order[np.argsort(votes.task[order], kind="stable")]
        self.first = np.concatenate([[0], np.cumsum(votes.votes_per_task)])
        self.shown = np.zeros(votes.n_tasks, dtype=np.int64)
        self._votes: Votes | None = None  # those shown so far

    @property
    def left(self) -> NDArray[np.int64]:
        """Number of votes on each task that have not been shown yet."""
        return np.diff(self.first) - self.shown

    def show(self, tasks: NDArray[Any], most: int = 1) -> None:
        """Show up to `most` more votes on each of these tasks."""
        self.shown[tasks] += np.minimum(most, self.left[tasks])
        self._votes = None

    def votes(self) -> Votes:
        """Return all votes that have been shown."""
        if self._votes is None:
            within = np.arange(self.shown.sum()) - np.repeat(np.cumsum(self.shown) - self.shown, self.shown)
            rows = self.order[np.repeat(self.first[:-1], self.shown) + within]
            self._votes = self.recorded.subset(rows=rows)
        return self._votes
