"""A crowd that is made up: workers of some mean accuracy, who vote on items whose truth is known."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from quorate.data.ids import as_names
from quorate.data.votes import Votes
from quorate.typing import Array

WORKERS = 30
ALIKE = 12.0  # how much alike workers are: as if each was drawn from so many answers


class Crowd(NamedTuple):
    """Votes, and the truth, (n_items,)."""

    votes: Votes
    gold: NDArray[np.int64]


def skills(accuracy: float, rng: np.random.Generator) -> Array:
    """How often each worker is right, the mean of all near `accuracy`.

    >>> bool(0.7 < skills(0.8, np.random.default_rng(0)).mean() < 0.9)
    True
    """
    if accuracy >= 1:
        return np.ones(WORKERS)
    return rng.beta(ALIKE * accuracy, ALIKE * (1 - accuracy), size=WORKERS)


def made_up_crowd(
    n_items: int, n_classes: int, accuracy: float, votes_per_item: int, rng: np.random.Generator
) -> Crowd:
    """So many votes of different workers on each item; who errs takes any other class.

    >>> crowd = made_up_crowd(4, 2, 0.8, 3, np.random.default_rng(0))
    >>> crowd.votes, crowd.gold.shape
    (Votes(12 votes, 4 tasks, 30 workers, 2 classes), (4,))
    """
    gold = rng.integers(0, n_classes, size=n_items)
    task = np.repeat(np.arange(n_items), votes_per_item)
    worker = np.argsort(rng.random((n_items, WORKERS)), axis=1)[:, :votes_per_item].ravel()
    right = rng.random(len(task)) < skills(accuracy, rng)[worker]
    other = (gold[task] + rng.integers(1, n_classes, size=len(task))) % n_classes
    votes = Votes(
        task=task,
        worker=worker,
        label=np.where(right, gold[task], other),
        tasks=as_names([f"item {number:06}" for number in range(n_items)]),
        workers=as_names([f"worker {number:03}" for number in range(WORKERS)]),
        classes=as_names([f"class {number:04}" for number in range(n_classes)]),
    )
    return Crowd(votes, gold)
