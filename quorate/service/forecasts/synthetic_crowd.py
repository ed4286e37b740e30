"""Synthetic crowd of a chosen mean accuracy, for forecasts of a project that has no votes yet.

Unlike `quorate.simulation`, tasks are equally difficult, and workers are described by their accuracy alone.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from quorate.data.ids import as_names
from quorate.data.votes import Votes
from quorate.typing import Array

N_WORKERS = 30
CONCENTRATION = 12.0  # of the beta distribution of accuracies: the larger, the more similar the workers


class Crowd(NamedTuple):
    """Votes, and the gold labels, (n_items,)."""

    votes: Votes
    gold: NDArray[np.int64]


def draw_accuracies(mean: float, rng: np.random.Generator) -> Array:
    """Draw the accuracy of each worker from a beta distribution: (N_WORKERS,).

    >>> bool(0.7 < draw_accuracies(0.8, np.random.default_rng(0)).mean() < 0.9)
    True
    """
    if mean >= 1:
        return np.ones(N_WORKERS)
    return rng.beta(CONCENTRATION * mean, CONCENTRATION * (1 - mean), size=N_WORKERS)


def draw_crowd(n_items: int, n_classes: int, accuracy: float, votes_per_item: int, rng: np.random.Generator) -> Crowd:
    """Draw votes of different workers on each item; wrong votes are uniform over the other classes.

    Args:
        n_items: number of items.
        n_classes: number of classes.
        accuracy: mean accuracy of the workers.
        votes_per_item: votes on each item, at most N_WORKERS.
        rng: random generator.

    >>> crowd = draw_crowd(4, 2, 0.8, 3, np.random.default_rng(0))
    >>> crowd.votes, crowd.gold.shape
    (Votes(12 votes, 4 tasks, 30 workers, 2 classes), (4,))
    """
    gold = rng.integers(0, n_classes, size=n_items)
    task = np.repeat(np.arange(n_items), votes_per_item)
    worker = np.argsort(rng.random((n_items, N_WORKERS)), axis=1)[:, :votes_per_item].ravel()
    is_right = rng.random(len(task)) < draw_accuracies(accuracy, rng)[worker]
    wrong_label = (gold[task] + rng.integers(1, n_classes, size=len(task))) % n_classes
    votes = Votes(
        task=task,
        worker=worker,
        label=np.where(is_right, gold[task], wrong_label),
        tasks=as_names([f"item {number:06}" for number in range(n_items)]),
        workers=as_names([f"worker {number:03}" for number in range(N_WORKERS)]),
        classes=as_names([f"class {number:04}" for number in range(n_classes)]),
    )
    return Crowd(votes, gold)
