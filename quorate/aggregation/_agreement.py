"""What several methods ask of the votes themselves: who agrees with whom, and which class leads."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from quorate.data.votes import Votes
from quorate.inference.kernels import sum_at
from quorate.typing import Array


class Agreement(NamedTuple):
    """For each worker, the anonymous voter last: pairs of their votes with others' on the same task; how many agree."""

    pairs: Array
    agreeing: Array


def agreement_with_others(votes: Votes) -> Agreement:
    """Count the agreeing pairs of each worker; nobody is compared with themselves.

    >>> agreement_with_others(Votes.from_matrix([[0, 0, 1], [1, 1, -1]])).agreeing.tolist()
    [2.0, 2.0, 0.0, 0.0]
    """
    shape = votes.votes_per_voter.shape
    others = (votes.votes_per_task - 1).astype(np.float64)[votes.task]
    same = (votes.counts().ravel() - 1).astype(np.float64)[votes.cell]
    return Agreement(sum_at(votes.voter, others, shape), sum_at(votes.voter, same, shape))


def leading_classes(scores: NDArray[np.float64] | NDArray[np.int64]) -> Array:
    """One, shared among the classes with the highest score of each task; a hair's breadth is a tie.

    >>> leading_classes(np.array([[1.0, 3.0, 2.0], [0.3, 0.1 + 0.2, 0.0]])).tolist()
    [[0.0, 1.0, 0.0], [0.5, 0.5, 0.0]]
    """
    highest = scores.max(axis=1, keepdims=True)
    leads = scores >= highest - 1e-9 * np.abs(highest)
    return leads / leads.sum(axis=1, keepdims=True)


def normalise_rows(weight: Array) -> Array:
    """Rows of weights as shares; all zero where there is no weight.

    >>> shares_of(np.array([[1.0, 3.0], [0.0, 0.0]])).tolist()
    [[0.25, 0.75], [0.0, 0.0]]
    """
    total = weight.sum(axis=1, keepdims=True)
    return np.divide(weight, total, out=np.zeros_like(weight), where=total > 0)
