"""Agreement between workers, leading classes and normalised weights, used by several methods."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from quorate.data.votes import Votes
from quorate.inference.kernels import sum_at
from quorate.typing import Array


class Agreement(NamedTuple):
    """Agreement of each worker with the others, the anonymous voter last: two arrays of (n_workers + 1,).

    pairs: number of pairs of one of their votes and another vote on the same task. agreeing: pairs that agree.
    """

    pairs: Array
    agreeing: Array


def agreement_with_others(votes: Votes) -> Agreement:
    """Count the pairs of votes of each worker with other votes on the same task, and those that agree.

    >>> agreement_with_others(Votes.from_matrix([[0, 0, 1], [1, 1, -1]])).agreeing.tolist()
    [2.0, 2.0, 0.0, 0.0]
    """
    shape = votes.votes_per_voter.shape
    others = (votes.votes_per_task - 1).astype(np.float64)[votes.task]
    same = (votes.counts().ravel() - 1).astype(np.float64)[votes.cell]
    return Agreement(sum_at(votes.voter, others, shape), sum_at(votes.voter, same, shape))


def leading_classes(scores: NDArray[np.float64] | NDArray[np.int64]) -> Array:
    """Return an indicator of the top class of each task, (n_tasks, n_classes); ties (within 1e-9) share it.

    >>> leading_classes(np.array([[1.0, 3.0, 2.0], [0.3, 0.1 + 0.2, 0.0]])).tolist()
    [[0.0, 1.0, 0.0], [0.5, 0.5, 0.0]]
    """
    highest = scores.max(axis=1, keepdims=True)
    leads = scores >= highest - 1e-9 * np.abs(highest)
    return leads / leads.sum(axis=1, keepdims=True)


def normalise_rows(weight: Array) -> Array:
    """Return rows of weights divided by their sum; rows without any weight stay zero.

    >>> normalise_rows(np.array([[1.0, 3.0], [0.0, 0.0]])).tolist()
    [[0.25, 0.75], [0.0, 0.0]]
    """
    total = weight.sum(axis=1, keepdims=True)
    return np.divide(weight, total, out=np.zeros_like(weight), where=total > 0)
