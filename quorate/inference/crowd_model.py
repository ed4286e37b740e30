"""The crowd model: a confusion matrix per worker, shrunk to that of the pool, which is anchored to agreement."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.data.ids import Names, as_names, lookup
from quorate.data.votes import Votes
from quorate.inference.kernels import observed_first, softmax_rows
from quorate.inference.kernels.vote_sums import answer_counts
from quorate.inference.tuning import TUNING
from quorate.typing import Array


@dataclass(frozen=True, eq=False)
class Crowd:
    """Confusion matrices of all workers, by name; the last is the pool's, for unknown voters.

    Attributes:
        workers: names of the workers.
        table: (n_workers + 1, true, observed), probabilities.
        counts: (n_workers + 1, true, observed), the votes behind it.
        own: pseudo-votes of the pool in each row of a worker.
        hope: how far the next voters may be better than those seen so far, from 0 to 1 (always right).
    """

    workers: Names
    table: Array
    counts: Array = field(default_factory=lambda: np.zeros((1, 1, 1)))
    own: float = TUNING.pool_votes
    hope: float = 0.0

    @classmethod
    def empty(cls) -> Self:
        """Return a crowd without workers, as a placeholder before the first fit."""
        return cls(as_names([]), np.empty((0, 0, 0)))

    @property
    def pool(self) -> Array:
        """Confusion matrix of an unknown voter: (true, answer)."""
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

    def log_to_power(self, power: float) -> Array:
        """Return the log-probabilities of all matrices to a power: (n_workers + 1, true, observed)."""
        return _log_rows(power * np.log(self.table))

    @property
    def next(self) -> Array:
        """Optimistic matrix of the next voter: a policy that doubts voters too early stops and never learns better."""
        return (1 - self.hope) * self.pool + self.hope * np.eye(len(self.pool))

    def next_to_power(self, power: float) -> Array:
        """Return the matrix of the next voter to a power, with rows that sum to one: (true, answer)."""
        return np.exp(_log_rows(power * np.log(self.next[None]))[0])

    def leave_out_correction(self, votes: Votes, probs: Array) -> Array:
        """Return what to add to the log-likelihood of each vote, (n_votes, n_classes), to leave its own task out.

        A vote must not be evidence for its own worker: with this correction, the worker's matrix is the one fitted
        without the task.

        probs: (n_tasks, n_classes), the belief about the tasks.
        """
        voter = self.voter(votes)
        n_answers = self.counts[voter, :, votes.label]  # how often the worker gave this answer to each class
        asked = self._asked[voter]
        pseudo = self.own * self.pool[:, votes.label].T
        here = probs[votes.task]
        correction = np.log1p(-np.minimum(here, n_answers) / (n_answers + pseudo)) - np.log1p(
            -np.minimum(here, asked) / (asked + self.own)
        )
        return np.where((voter >= 0)[:, None], correction, 0.0)

    def voter(self, votes: Votes) -> NDArray[np.int64]:
        """Return the row of the table that belongs to the worker of each vote."""
        if votes.workers.dtype != self.workers.dtype:
            return np.append(lookup(votes.workers, self.workers).astype(np.int64), -1)[votes.worker]
        rows = [self._row_of.get(name, -1) for name in votes.workers.tolist()]
        return np.array([*rows, -1], dtype=np.int64)[votes.worker]

    @cached_property
    def confusions(self) -> Array:
        """Distribution of the wrong answers of the pool to each class, see `confusions_given_error`."""
        return confusions_given_error(self.pool)

    @cached_property
    def _row_of(self) -> dict[Any, int]:
        """Row of each worker; cached, since votes are judged one at a time, however many workers there are."""
        return {name: row for row, name in enumerate(self.workers.tolist())}

    @cached_property
    def _asked(self) -> Array:
        """Number of votes of each worker on each class: (n_workers + 1, true)."""
        return self.counts.sum(axis=2)


def fit_crowd(votes: Votes, probs: Array, *, own: float = TUNING.pool_votes) -> Crowd:
    """Fit the confusion matrices of a crowd to its votes on tasks whose classes are believed to be `probs`: the M-step.

    own: pseudo-votes of the pool's answers in each row of a worker's matrix.
    """
    n_classes = votes.n_classes
    counts = answer_counts(votes, probs)
    accuracy = agreement_accuracy(votes)
    typical = symmetric(accuracy, n_classes)
    pool = counts.sum(axis=0) + TUNING.anchor_votes * typical
    pool /= pool.sum(axis=1, keepdims=True)
    pool = raise_diagonal((1 - TUNING.anchor_share) * pool + TUNING.anchor_share * typical)
    table = counts + own * pool
    table[-1] = pool
    table /= table.sum(axis=2, keepdims=True)
    most = agreement_accuracy(votes, TUNING.hope * min(np.sqrt(votes.n_tasks / TUNING.full_hope_tasks), 1.0))
    hope = max(most - accuracy, 0.0) / (1 - accuracy)
    return Crowd(
        votes.workers, (1 - n_classes * TUNING.min_answer_prob) * table + TUNING.min_answer_prob, counts, own, hope
    )


def symmetric(accuracy: float, n_classes: int) -> Array:
    """Return the confusion matrix of a voter with this accuracy whose errors fall equally on all other classes."""
    matrix = np.full((n_classes, n_classes), (1 - accuracy) / (n_classes - 1))
    np.fill_diagonal(matrix, accuracy)
    return matrix


def agreement_accuracy(votes: Votes, hope: float = 0.0) -> float:
    """Estimate how often a voter is right, assuming that voters agree because they are right independently.

    Two voters who are right with probability q agree with q^2 + (1 - q)^2 / (n_classes - 1).

    hope: number of standard errors to add to the observed agreement.

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


def raise_diagonal(matrix: Array) -> Array:
    """Return the matrix with the right answer the most probable of every row: no crowd is believed to err more often.

    >>> raise_diagonal(np.array([[0.3, 0.7], [0.2, 0.8]])).round(2).tolist()
    [[0.51, 0.49], [0.2, 0.8]]
    """
    wrong = matrix - np.diag(np.diagonal(matrix))
    raised = wrong + np.diag(np.maximum(np.diagonal(matrix), 1.05 * wrong.max(axis=1)))
    return raised / raised.sum(axis=1, keepdims=True)


def confusions_given_error(matrix: Array) -> Array:
    """Return the distribution of wrong answers to each class: rows sum to one, the diagonal is zero.

    >>> confusions_given_error(np.array([[0.8, 0.15, 0.05], [0.1, 0.9, 0.0], [0.2, 0.2, 0.6]])).round(2).tolist()
    [[0.0, 0.75, 0.25], [1.0, 0.0, 0.0], [0.5, 0.5, 0.0]]
    """
    wrong = matrix - np.diag(np.diagonal(matrix))
    return wrong / wrong.sum(axis=1, keepdims=True)


def _log_rows(scores: Array) -> Array:
    """Normalise scores to log-probabilities over the last axis."""
    flat = scores.reshape(-1, scores.shape[-1])
    return (flat - softmax_rows(flat.copy())[:, None]).reshape(scores.shape)
