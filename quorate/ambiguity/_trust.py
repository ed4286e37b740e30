"""Votes weighed by how far their worker is to be trusted on the task."""

import numpy as np

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.inference.kernels import sum_at
from quorate.inference.responses import response_probs
from quorate.typing import Array


def trust(votes: Votes, posterior: Posterior, said: Array) -> Array:
    """How likely the worker of each vote is right about its task: (n_votes,).

    The inner product of what a classifier says of the task of each vote, (n_votes, n_classes), and the diagonal of the
    worker's confusion matrix, by any method that has a model of workers; where it has none, by counting.
    """
    given = response_probs(votes, posterior)
    right = np.array([given(k)[:, k] for k in range(votes.n_classes)]).T  # (n_workers + 1, n_classes)
    return (right[votes.voter] * said).sum(axis=1)


def weighted_mean(votes: Votes, values: Array, weights: Array) -> Array:
    """Mean over the votes of each task, by weight; votes of which nothing is known (NaN) do not count: (n_tasks,)."""
    known = ~(np.isnan(values) | np.isnan(weights))
    task, size = votes.task[known], (votes.n_tasks,)
    total = sum_at(task, weights[known], size)
    with np.errstate(invalid="ignore"):
        return sum_at(task, (weights * values)[known], size) / np.where(total > 0, total, np.nan)
