"""How the crowd answers: a matrix per worker, shrunk to that of the pool, which is anchored to agreement."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.data.ids import Names, as_names, lookup
from quorate.data.votes import Votes
from quorate.decision.tuning import TUNING
from quorate.inference.kernels import observed_first, softmax_rows
from quorate.inference.kernels.vote_sums import answer_counts
from quorate.typing import Array


@dataclass(frozen=True, eq=False)
class Crowd:
    """Matrices of all workers, by name; the last is the pool's, for voters who are not known.

    table: (n_workers + 1, true, observed), probabilities. counts: the votes behind it. own: pseudo-votes of the pool
    in each row of a worker. hope: how far the next voters may be better than was seen, from 0 to 1 (always right).
    """

    workers: Names
    table: Array
    counts: Array = field(default_factory=lambda: np.zeros((1, 1, 1)))
    own: float = TUNING.pool_votes
    hope: float = 0.0

    @classmethod
    def empty(cls) -> Self:
        """Nobody: what stands for the crowd before it is fitted."""
        return cls(as_names([]), np.empty((0, 0, 0)))

    @property
    def pool(self) -> Array:
        """How an unknown voter answers: (true, said)."""
        pool: Array = self.table[-1]
        return pool

    def log_likelihood(self, worker: ArrayLike, observed: ArrayLike) -> Array:
        """See WorkerModel."""
        likelihood: Array = self.log_rows[np.asarray(worker), np.asarray(observed)]
        return likelihood

    @cached_property
    def log_rows(self) -> Array:
        """Log-probabilities in the layout of the kernels: one contiguous row for every worker and observed label."""
        return observed_first(np.log(self.table))

    def raised(self, power: float) -> Array:
        """Return the log-probabilities of all matrices to a power: (n_workers + 1, true, observed)."""
        return _log_rows(power * np.log(self.table))

    @property
    def next(self) -> Array:
        """How the next voter is hoped to answer: who doubts voters after a few, stops and never learns better."""
        return (1 - self.hope) * self.pool + self.hope * np.eye(len(self.pool))

    def next_raised(self, power: float) -> Array:
        """The same if they answer so much more, or less, surely: (true, said)."""
        return np.exp(_log_rows(power * np.log(self.next[None]))[0])

    def without(self, votes: Votes, probs: Array) -> Array:
        """What is taken off the log-likelihood of each vote when the matrix of its worker is fitted without its task.

        probs: what is believed of the tasks. A worker's own vote must not speak for the worker: (n_votes, n_classes).
        """
        voter = self.voter(votes)
        given = self.counts[voter, :, votes.label]  # how often they said so to each class
        asked = self._asked[voter]
        pseudo = self.own * self.pool[:, votes.label].T
        here = probs[votes.task]
        taken = np.log1p(-np.minimum(here, given) / (given + pseudo)) - np.log1p(
            -np.minimum(here, asked) / (asked + self.own)
        )
        return np.where((voter >= 0)[:, None], taken, 0.0)

    def voter(self, votes: Votes) -> NDArray[np.int64]:
        """Row of the table of each vote."""
        if votes.workers.dtype != self.workers.dtype:
            return np.append(lookup(votes.workers, self.workers).astype(np.int64), -1)[votes.worker]
        place = [self._place.get(name, -1) for name in votes.workers.tolist()]
        return np.array([*place, -1], dtype=np.int64)[votes.worker]

    @cached_property
    def mistaken(self) -> Array:
        """What each class is mistaken for, if it is mistaken: see mistaken_for."""
        return mistaken_for(self.pool)

    @cached_property
    def _place(self) -> dict[Any, int]:
        """Where each worker is: kept, since votes are judged one at a time, however many workers there are."""
        return {name: row for row, name in enumerate(self.workers.tolist())}

    @cached_property
    def _asked(self) -> Array:
        """How often each worker was asked about each class: (n_workers + 1, true)."""
        return self.counts.sum(axis=2)


def fit_crowd(votes: Votes, probs: Array, *, own: float = TUNING.pool_votes) -> Crowd:
    """The crowd as it answered tasks whose classes are believed to be `probs`: the M-step.

    own: pseudo-votes of the pool's answers in each row of a worker's matrix.
    """
    n_classes = votes.n_classes
    counts = answer_counts(votes, probs)
    accuracy = agreement_accuracy(votes)
    typical = symmetric(accuracy, n_classes)
    pool = counts.sum(axis=0) + TUNING.anchor_votes * typical
    pool /= pool.sum(axis=1, keepdims=True)
    pool = diagonal_first((1 - TUNING.anchor_share) * pool + TUNING.anchor_share * typical)
    table = counts + own * pool
    table[-1] = pool
    table /= table.sum(axis=2, keepdims=True)
    most = agreement_accuracy(votes, TUNING.hope * min(np.sqrt(votes.n_tasks / TUNING.many_tasks), 1.0))
    hope = max(most - accuracy, 0.0) / (1 - accuracy)
    return Crowd(votes.workers, (1 - n_classes * TUNING.least_answer) * table + TUNING.least_answer, counts, own, hope)


def symmetric(accuracy: float, n_classes: int) -> Array:
    """The matrix of a voter who is right so often and errs alike to all sides."""
    matrix = np.full((n_classes, n_classes), (1 - accuracy) / (n_classes - 1))
    np.fill_diagonal(matrix, accuracy)
    return matrix


def agreement_accuracy(votes: Votes, hope: float = 0.0) -> float:
    """How often a voter is right, if voters agree as often as they do because they are right independently.

    Two voters who are right with probability q agree with q^2 + (1 - q)^2 / (n_classes - 1). hope: standard errors by
    which they may agree more often than was seen.

    >>> round(agreement_accuracy(Votes.from_counts([[9, 1]] * 100)), 2)
    0.89
    """
    counts, n_votes = votes.counts(), votes.votes_per_task
    others = votes.n_classes - 1
    before = TUNING.typical_accuracy**2 + (1 - TUNING.typical_accuracy) ** 2 / others
    pairs = (n_votes * (n_votes - 1)).sum() / 2
    agreed = ((counts * (counts - 1)).sum() / 2 + TUNING.typical_pairs * before) / (pairs + TUNING.typical_pairs)
    agreed = min(agreed + hope * np.sqrt(agreed * (1 - agreed) / (pairs + TUNING.typical_pairs)), 1.0)
    # q solves q^2 (others + 1) - 2 q + 1 - agreed * others = 0
    root = (1 + np.sqrt(max(1 - (others + 1) * (1 - agreed * others), 0.0))) / (others + 1)
    return float(np.clip(root, 1 / votes.n_classes + 0.05, 0.99))


def diagonal_first(matrix: Array) -> Array:
    """The matrix with the right answer made the likeliest of every row: a crowd that errs more often is not believed.

    >>> diagonal_first(np.array([[0.3, 0.7], [0.2, 0.8]])).round(2).tolist()
    [[0.51, 0.49], [0.2, 0.8]]
    """
    wrong = matrix - np.diag(np.diagonal(matrix))
    raised = wrong + np.diag(np.maximum(np.diagonal(matrix), 1.05 * wrong.max(axis=1)))
    return raised / raised.sum(axis=1, keepdims=True)


def mistaken_for(matrix: Array) -> Array:
    """How often each class is mistaken for each other one, if it is mistaken: rows sum to one, the diagonal is zero.

    >>> mistaken_for(np.array([[0.8, 0.15, 0.05], [0.1, 0.9, 0.0], [0.2, 0.2, 0.6]])).round(2).tolist()
    [[0.0, 0.75, 0.25], [1.0, 0.0, 0.0], [0.5, 0.5, 0.0]]
    """
    wrong = matrix - np.diag(np.diagonal(matrix))
    return wrong / wrong.sum(axis=1, keepdims=True)


def _log_rows(scores: Array) -> Array:
    """Scores made into log-probabilities over the last axis."""
    flat = scores.reshape(-1, scores.shape[-1])
    return (flat - softmax_rows(flat.copy())[:, None]).reshape(scores.shape)
