"""Tasks kept back to judge a learner by, where nothing else was given to do so."""

import numpy as np
from numpy.typing import NDArray

from quorate.data.votes import Votes


def hold_out(votes: Votes, share: float, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Two parts of the tasks, in order: (the rest, a share of those that have votes).

    Whole tasks are kept back: of a task that a learner was taught, it would only repeat what the other votes said.

    >>> rest, kept_back = hold_out(Votes.from_matrix([[0, 1], [1, 1], [-1, -1], [0, 0]]), 1 / 3, seed=0)
    >>> len(rest), len(kept_back)
    (3, 1)
    """
    voted = np.flatnonzero(votes.votes_per_task > 0)
    chosen = np.random.default_rng(seed).permutation(voted)[: round(share * len(voted))]
    return np.setdiff1d(np.arange(votes.n_tasks), chosen), np.sort(chosen)
