"""Passes over all votes, which are what a round of EM does, by numpy and scipy; or compiled, where that is worth it."""

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quorate.data.votes import PART, Votes
from quorate.inference.kernels.arrays import softmax_rows, sum_at
from quorate.typing import Array

COMPILED_FROM = 1_000_000  # votes; below, loading compiled code takes longer than it saves

MOST_PER_TASK = 1000  # votes whose log-likelihoods compiled passes may add up in single precision


class Tally(NamedTuple):
    """What a round of EM must know of the posterior of all tasks.

    answers: (n_workers + 1, said, true), the posterior summed over the votes of each worker for each class; from
    vote_pass only that of the class which was said, (n_workers + 1, said). classes: (true,), summed over the tasks
    that have votes. evidence: log-likelihood of the votes, so that tasks without any add nothing.
    """

    answers: Array
    classes: Array
    evidence: float = 0.0


def vote_passes(votes: Votes) -> "Passes":
    """Passes over these votes: compiled where there are many and numba works (`pip install quorate[fast]`)."""
    if len(votes) < COMPILED_FROM or votes.votes_per_task.max() > MOST_PER_TASK:
        return Passes(votes)
    try:
        from quorate.inference.kernels.e_step_compiled import CompiledPasses
    except ImportError:  # not installed, or not for this version of numpy
        return Passes(votes)
    return CompiledPasses(votes)


class Passes:
    """Passes over votes by numpy and scipy.

    log_prior is (n_tasks, true), or (1, true) for all tasks alike. Every pass fills `out` (n_tasks, true) with the
    posterior where it is given.
    """

    def __init__(self, votes: Votes) -> None:
        self.n_tasks, self.shape = votes.n_tasks, (votes.n_workers + 1, votes.n_classes)
        self.start, order = votes.by_task
        self.row = _rows(votes, order)  # worker * n_classes + said, in the order of tasks
        self.votes_per_answer = _counted(self.row, self.shape[0] * self.shape[1]).reshape(self.shape)
        self.voted = (votes.votes_per_task > 0).astype(np.float64)

    def row_pass(self, log_table: Array, log_prior: Array, *, hard: bool = False, out: Array | None = None) -> Tally:
        """Every vote adds its row of log_table (n_workers + 1, said, true) to its task.

        hard: the most likely class of each task gets everything, and the evidence is that of this one class.
        """
        probs: Array = self._matrix @ log_table.reshape(-1, log_table.shape[2])
        probs += log_prior
        evidence = float(self.voted @ (_hardmax_rows(probs) if hard else softmax_rows(probs)))
        return self.row_tally(_kept(probs, out))._replace(evidence=evidence)

    def row_tally(self, probs: Array) -> Tally:
        """The tally of a given posterior (n_tasks, true)."""
        answers: Array = self._matrix.T @ probs
        return Tally(answers.reshape(*self.shape, probs.shape[1]), self.voted @ probs)

    def vote_pass(self, log_odds: Array, log_prior: Array, *, out: Array | None = None) -> Tally:
        """Every vote adds its number of log_odds (n_workers + 1, said) to the class that was said."""
        probs = sum_at(self._cell, log_odds.ravel()[self.row], (self.n_tasks, self.shape[1]))
        probs += log_prior
        evidence = float(self.voted @ softmax_rows(probs))
        return self.vote_tally(_kept(probs, out))._replace(evidence=evidence)

    def vote_tally(self, probs: Array) -> Tally:
        """The tally of a given posterior (n_tasks, n_classes), of the classes that were said."""
        return Tally(sum_at(self.row, probs.ravel()[self._cell], self.shape), self.voted @ probs)

    def edge_pass(
        self, ability: Array, easiness: Array, log_prior: Array, *, out: Array | None = None
    ) -> tuple[float, Array, Array]:
        """GLAD: log-likelihood, and its slope in ability (n_workers + 1,) and in easiness (n_tasks,).

        A vote is right with probability sigmoid(x), x = ability * easiness; a wrong one falls on any other class alike.
        So right against wrong has a log-likelihood ratio of x + log(K - 1), and the slope in x is
        P(vote is right | all votes) - sigmoid(x).
        """
        worker, log_others = self.row // self.shape[1], np.log(self.shape[1] - 1)
        logit = ability[worker] * easiness[self._task]
        probs = sum_at(self._cell, logit + log_others, (self.n_tasks, self.shape[1]))
        probs += log_prior
        evidence = softmax_rows(probs).sum() - (np.logaddexp(0, logit) + log_others).sum()
        surprise = _kept(probs, out).ravel()[self._cell] - np.exp(-np.logaddexp(0, -logit))
        by_worker = sum_at(worker, surprise * easiness[self._task], ability.shape)
        by_task = sum_at(self._task, surprise * ability[worker], easiness.shape)
        return float(evidence), by_worker, by_task

    @cached_property
    def _matrix(self) -> Any:
        """Votes as a sparse matrix, tasks x (worker, said): times a table it sums the table's rows for each task."""
        from scipy.sparse import csr_array  # a fifth of a second: paid by those who aggregate, not by `import quorate`

        shape = (self.n_tasks, self.shape[0] * self.shape[1])
        size = np.int32 if max(shape[1], len(self.row)) < 2**31 else np.int64  # of both, whatever they are held in
        row, start = self.row.astype(size, copy=False), self.start.astype(size, copy=False)
        return csr_array((np.ones(len(self.row)), row, start), shape=shape)

    @cached_property
    def _task(self) -> NDArray[np.int64]:
        return np.repeat(np.arange(self.n_tasks), np.diff(self.start))

    @cached_property
    def _cell(self) -> NDArray[np.int64]:
        """Place of each vote in a flat table of tasks x classes."""
        return self._task * self.shape[1] + self.row % self.shape[1]


def _rows(votes: Votes, order: NDArray[np.int64]) -> NDArray[Any]:
    largest = max((votes.n_workers + 1) * votes.n_classes, len(votes))
    row: NDArray[Any] = votes.worker[order].astype(np.int32 if largest < 2**31 else np.int64)
    row[row < 0] = votes.n_workers
    row *= votes.n_classes
    row += votes.label[order]
    return row


def _counted(index: NDArray[Any], size: int) -> NDArray[np.int64]:
    """How often each index comes; in parts, since numpy turns what it counts into eight bytes each."""
    total = np.zeros(size, dtype=np.int64)
    for begin in range(0, len(index), PART):
        total += np.bincount(index[begin : begin + PART], minlength=size)
    return total


def _hardmax_rows(scores: Array) -> Array:
    """Give the highest of every row everything, the first where several are, in place; returns the highest."""
    best, rows = scores.argmax(axis=1), np.arange(len(scores))
    highest: Array = scores[rows, best]
    scores[:] = 0
    scores[rows, best] = 1
    return highest


def _kept(probs: Array, out: Array | None) -> Array:
    if out is not None:
        out[:] = probs
    return probs
