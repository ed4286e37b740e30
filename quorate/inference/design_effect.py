"""The design effect of votes on one task: they are correlated, so n votes are worth fewer independent ones."""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.inference.kernels import safe_log, softmax_rows
from quorate.inference.tuning import TUNING
from quorate.typing import Array


def design_effect(votes_per_task: ArrayLike, independent_votes: float = TUNING.independent_votes) -> Array:
    """Return the factor by which the evidence of correlated votes is too strong: sqrt(n) / 0.9 for n votes.

    Kish's design effect is n divided by the number of independent votes that are worth as much. Workers err together
    on hard tasks: according to gold labels of real sets, n votes are worth about 0.9 sqrt(n). Votes alone do not show
    this, because a model of workers explains agreement by their accuracy, so one constant serves all sets.

    Args:
        votes_per_task: number of votes on each task.
        independent_votes: n votes are worth this times sqrt(n).

    >>> design_effect([1, 4, 16]).round(2).tolist()
    [1.11, 2.22, 4.44]
    """
    n_votes = np.maximum(np.asarray(votes_per_task, dtype=np.float64), 1)
    return np.sqrt(n_votes) / independent_votes


def discount(probs: Array, effects: Array) -> Array:
    """Return probabilities whose logarithms are divided by the design effect: (n_tasks, n_classes).

    The order of the classes of a task stays, so labels do not change; certain rows, such as gold labels, stay certain.

    Args:
        probs: (n_tasks, n_classes), the posterior if votes were independent.
        effects: (n_tasks,), the design effect of the votes on each task.

    >>> discount(np.array([[0.8, 0.2], [1.0, 0.0]]), np.array([2.0, 2.0])).round(3).tolist()
    [[0.667, 0.333], [1.0, 0.0]]
    """
    scores = safe_log(probs) / effects[:, None]
    scores[probs == 0] = -np.inf
    softmax_rows(scores)
    return scores


def discount_posterior(posterior: Posterior, votes: Votes) -> Posterior:
    """Return the posterior with discounted probabilities.

    A method without a model of workers, such as vote shares, does not multiply likelihoods: its posterior is returned
    as it is, like one that allows for correlated votes already. The same holds for tasks without votes.
    """
    if posterior.worker_model is None or posterior.discounted:
        return posterior
    voted = votes.votes_per_task > 0
    probs = posterior.probs.copy()
    probs[voted] = discount(probs[voted], design_effect(votes.votes_per_task[voted]))
    return replace(posterior, probs=probs, discounted=True)
