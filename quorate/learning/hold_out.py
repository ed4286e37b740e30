"""Tasks that are held out for validation where no validation items are given."""

import numpy as np
from numpy.typing import NDArray

from quorate.data.votes import Votes


def hold_out(votes: Votes, share: float, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Split the tasks into (the rest, a random share of those that have votes), both in order.

    Whole tasks are held out: on a task that it was trained on, a learner would only repeat the other votes.

    >>> rest, held_out = hold_out(Votes.from_matrix([[0, 1], [1, 1], [-1, -1], [0, 0]]), 1 / 3, seed=0)
    >>> len(rest), len(held_out)
    (3, 1)
    """
    voted = np.flatnonzero(votes.votes_per_task > 0)
    chosen = np.random.default_rng(seed).permutation(voted)[: round(share * len(voted))]
    return np.setdiff1d(np.arange(votes.n_tasks), chosen), np.sort(chosen)
