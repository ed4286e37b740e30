"""Targets: rows of x, each with a distribution over classes and a weight."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.typing import Array


@dataclass(frozen=True, eq=False)
class Targets:
    """What is taught, one row per example.

    task: (n,), the row of x. probs: (n, n_classes), rows sum to one. weight: (n,).
    vote: (n,), the row of the single vote that an example stands for; None where an example is a whole task.
    """

    task: NDArray[np.int64]
    probs: Array
    weight: Array
    vote: NDArray[np.int64] | None = None


def taught_tasks(votes: Votes, posterior: Posterior) -> NDArray[np.int64]:
    """Tasks that something is known of: those with votes, and those whose posterior is certain, as gold makes it.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_arrays([0, 0], [0, 1], [1, 1], n_classes=2, n_tasks=3)
    >>> taught_tasks(votes, aggregate(votes, "majority", gold=np.array([-1, -1, 0]))).tolist()
    [0, 2]
    """
    # Where all the world is of one class, a task of which nothing is known looks certain too.
    certain = (posterior.confidence == 1) & (posterior.class_prior.max() < 1)
    return np.flatnonzero((votes.votes_per_task > 0) | certain)


def one_hot(labels: NDArray[np.int64], n_classes: int) -> Array:
    """Rows of zeros with a one at each label."""
    rows: Array = np.eye(n_classes)[labels]
    return rows


def per_task(probs: Array, tasks: NDArray[np.int64], weight: Array | None = None) -> Targets:
    """One example per task; probs and weight have a row for every task there is."""
    return Targets(tasks, probs[tasks], np.ones(len(tasks)) if weight is None else weight[tasks])
