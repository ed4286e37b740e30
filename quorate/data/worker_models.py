"""Models of workers: the probability of each label, given the true class."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from quorate.typing import Array

LEAST_STRENGTH = 1e-9  # pseudo-votes of a prior; with fewer, the accuracy of a worker could round to one


class WorkerModel(Protocol):
    """A model of how workers vote. All other code uses only this function, so a model may have any form."""

    def log_likelihood(self, worker: ArrayLike, observed: ArrayLike) -> Array:
        """Return the log-probability of an observed label, for every true class: (..., n_classes).

        Worker -1, an anonymous worker, has the model of the pool.
        """
        ...


@dataclass(frozen=True, eq=False)
class Confusion:
    """A confusion matrix per worker.

    log_matrices: (n_workers + 1, true, observed), log-probabilities; the last entry is that of the pool.
    """

    log_matrices: Array

    def log_likelihood(self, worker: ArrayLike, observed: ArrayLike) -> Array:
        """See WorkerModel."""
        likelihood: Array = self.log_matrices[np.asarray(worker), :, np.asarray(observed)]
        return likelihood

    @property
    def matrices(self) -> Array:
        """Probabilities of every worker: (n_workers, true, observed)."""
        return np.exp(self.log_matrices[:-1])

    @property
    def pool(self) -> Array:
        """Probabilities of an unknown worker: (true, observed)."""
        return np.exp(self.log_matrices[-1])


@dataclass(frozen=True, eq=False)
class Coin:
    """One accuracy per worker: the label is right with that probability, otherwise each other class is equally likely.

    accuracy: (n_workers + 1,); the last entry is that of the pool.
    """

    accuracy: Array
    n_classes: int

    def log_likelihood(self, worker: ArrayLike, observed: ArrayLike) -> Array:
        """See WorkerModel."""
        right = self.accuracy[np.asarray(worker)][..., None]
        hit = np.asarray(observed)[..., None] == np.arange(self.n_classes)
        return np.log(np.where(hit, right, (1 - right) / (self.n_classes - 1)))


def worker_accuracy(model: WorkerModel, n_workers: int, class_prior: Array) -> Array:
    """Return the probability that each worker is right about a random task: (n_workers,).

    >>> worker_accuracy(Coin(np.array([0.9, 0.6, 0.7]), 2), 2, np.array([0.5, 0.5])).round(2).tolist()
    [0.9, 0.6]
    """
    everyone = np.arange(n_workers)
    right = [np.exp(model.log_likelihood(everyone, np.full(n_workers, c))[:, c]) for c in range(len(class_prior))]
    return class_prior @ np.array(right).reshape(len(class_prior), n_workers)
