"""Trust in the worker of each vote, and means weighted by it."""

import numpy as np

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.inference.kernels import sum_at
from quorate.inference.responses import response_probs
from quorate.typing import Array


def trust(votes: Votes, posterior: Posterior, pred_probs: Array) -> Array:
    """Return the probability that the worker of each vote is right about its task: (n_votes,).

    It is the inner product of a classifier's prediction for the task and the diagonal of the worker's confusion matrix.

    Args:
        votes: all votes.
        posterior: source of the confusion matrices, see `response_probs`.
        pred_probs: (n_votes, n_classes), prediction for the task of each vote.
    """
    probs_of_label = response_probs(votes, posterior)
    right = np.array([probs_of_label(k)[:, k] for k in range(votes.n_classes)]).T  # (n_workers + 1, n_classes)
    return (right[votes.voter] * pred_probs).sum(axis=1)


def weighted_mean(votes: Votes, values: Array, weights: Array) -> Array:
    """Return the weighted mean over the votes of each task, without NaN values and weights: (n_tasks,)."""
    valid = ~(np.isnan(values) | np.isnan(weights))
    task, size = votes.task[valid], (votes.n_tasks,)
    total = sum_at(task, weights[valid], size)
    with np.errstate(invalid="ignore"):
        return sum_at(task, (weights * values)[valid], size) / np.where(total > 0, total, np.nan)
