"""Targets: rows of x, each with a distribution over classes and a weight."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.typing import Array


@dataclass(frozen=True, eq=False)
class Targets:
    """Training targets, one row per example.

    Args:
        task: (n,), row of x.
        probs: (n, n_classes), target distribution; rows sum to one.
        weight: (n,), weight of the example.
        vote: (n,), row of the vote that an example stands for; None if an example stands for a task.
    """

    task: NDArray[np.int64]
    probs: Array
    weight: Array
    vote: NDArray[np.int64] | None = None


def labelled_tasks(votes: Votes, posterior: Posterior) -> NDArray[np.int64]:
    """Return the tasks with votes, and those whose posterior is certain, such as tasks with a gold label.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_arrays([0, 0], [0, 1], [1, 1], n_classes=2, n_tasks=3)
    >>> labelled_tasks(votes, aggregate(votes, "majority", gold=np.array([-1, -1, 0]))).tolist()
    [0, 2]
    """
    # If the prior has a single class, tasks without any information look certain too.
    certain = (posterior.confidence == 1) & (posterior.class_prior.max() < 1)
    return np.flatnonzero((votes.votes_per_task > 0) | certain)


def one_hot(labels: NDArray[np.int64], n_classes: int) -> Array:
    """Return one-hot rows of labels: (n, n_classes)."""
    rows: Array = np.eye(n_classes)[labels]
    return rows


def per_task(probs: Array, tasks: NDArray[np.int64], weight: Array | None = None) -> Targets:
    """Return training targets with one example per task in `tasks`.

    probs, (n_tasks, n_classes), and weight, (n_tasks,), have a row for every task; only those in `tasks` are used.
    """
    return Targets(tasks, probs[tasks], np.ones(len(tasks)) if weight is None else weight[tasks])
