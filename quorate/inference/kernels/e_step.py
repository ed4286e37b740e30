"""The E-step of EM as passes over all votes: with numpy and scipy, or compiled for many votes."""

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quorate.data.votes import PART, Votes
from quorate.inference.kernels.arrays import softmax_rows, sum_at
from quorate.typing import Array

MIN_COMPILED_VOTES = 1_000_000  # below, loading compiled code takes longer than it saves
MAX_VOTES_PER_TASK = 1000  # more log-likelihoods are not summed in single precision, so not by compiled passes


class Tally(NamedTuple):
    """Expected sufficient statistics of an E-step: the posterior of all tasks, summed over votes and tasks.

    Attributes:
        answers: (n_workers + 1, observed, true), the posterior summed over the votes of each worker with each label;
            from `vote_pass` and `vote_tally` only the posterior of the observed label, (n_workers + 1, observed).
        classes: (true,), the posterior summed over the tasks that have votes.
        evidence: log-likelihood of the votes; tasks without votes add nothing.
    """

    answers: Array
    classes: Array
    evidence: float = 0.0


def vote_passes(votes: Votes) -> "Passes":
    """Return the passes over these votes: compiled for many votes if numba works (`pip install quorate[fast]`)."""
    if len(votes) < MIN_COMPILED_VOTES or votes.votes_per_task.max() > MAX_VOTES_PER_TASK:
        return Passes(votes)
    try:
        from quorate.inference.kernels.e_step_compiled import CompiledPasses
    except ImportError:  # not installed, or not for this version of numpy
        return Passes(votes)
    return CompiledPasses(votes)


class Passes:
    """Passes over all votes with numpy and scipy.

    In all passes, `log_prior` is (n_tasks, true), or (1, true) if all tasks share it, and `out`, (n_tasks, true), is
    filled with the posterior if it is not None.
    """

    def __init__(self, votes: Votes) -> None:
        self.n_tasks, self.shape = votes.n_tasks, (votes.n_workers + 1, votes.n_classes)
        self.start, order = votes.by_task
        self.row = _rows(votes, order)  # worker * n_classes + label, in the order of tasks
        self.votes_per_answer = _count(self.row, self.shape[0] * self.shape[1]).reshape(self.shape)
        self.voted = (votes.votes_per_task > 0).astype(np.float64)

    def row_pass(self, log_table: Array, log_prior: Array, *, hard: bool = False, out: Array | None = None) -> Tally:
        """Compute the posterior and return its tally, adding for every vote a row of `log_table` to its task.

        Args:
            log_table: (n_workers + 1, observed, true), log-likelihood of each label of each worker.
            log_prior: see the class.
            hard: give the most likely class of each task probability one; the evidence is that of this class alone.
            out: see the class.
        """
        probs: Array = self._matrix @ log_table.reshape(-1, log_table.shape[2])
        probs += log_prior
        evidence = float(self.voted @ (_hardmax_rows(probs) if hard else softmax_rows(probs)))
        return self.row_tally(_copy_to(probs, out))._replace(evidence=evidence)

    def row_tally(self, probs: Array) -> Tally:
        """Return the tally of a posterior, (n_tasks, true)."""
        answers: Array = self._matrix.T @ probs
        return Tally(answers.reshape(*self.shape, probs.shape[1]), self.voted @ probs)

    def vote_pass(self, log_odds: Array, log_prior: Array, *, out: Array | None = None) -> Tally:
        """Compute the posterior and return its tally, adding for every vote its log-odds to its label.

        log_odds: (n_workers + 1, observed), log-likelihood ratio of the label being right and wrong.
        """
        probs = sum_at(self._cell, log_odds.ravel()[self.row], (self.n_tasks, self.shape[1]))
        probs += log_prior
        evidence = float(self.voted @ softmax_rows(probs))
        return self.vote_tally(_copy_to(probs, out))._replace(evidence=evidence)

    def vote_tally(self, probs: Array) -> Tally:
        """Return the tally of a posterior, (n_tasks, n_classes), for the observed labels only."""
        return Tally(sum_at(self.row, probs.ravel()[self._cell], self.shape), self.voted @ probs)

    def edge_pass(
        self, ability: Array, easiness: Array, log_prior: Array, *, out: Array | None = None
    ) -> tuple[float, Array, Array]:
        """Return the log-likelihood of GLAD and its gradient in ability, (n_workers + 1,), and easiness, (n_tasks,).

        A vote is right with probability sigmoid(x), x = ability * easiness; a wrong vote is equally likely for all
        other classes. The log-likelihood ratio of right and wrong is then x + log(K - 1), and the derivative in x is
        P(vote is right | all votes) - sigmoid(x).
        """
        worker, log_others = self.row // self.shape[1], np.log(self.shape[1] - 1)
        logit = ability[worker] * easiness[self._task]
        probs = sum_at(self._cell, logit + log_others, (self.n_tasks, self.shape[1]))
        probs += log_prior
        evidence = softmax_rows(probs).sum() - (np.logaddexp(0, logit) + log_others).sum()
        residual = _copy_to(probs, out).ravel()[self._cell] - np.exp(-np.logaddexp(0, -logit))
        by_worker = sum_at(worker, residual * easiness[self._task], ability.shape)
        by_task = sum_at(self._task, residual * ability[worker], easiness.shape)
        return float(evidence), by_worker, by_task

    @cached_property
    def _matrix(self) -> Any:
        """Votes as a sparse matrix, tasks x (worker, label): its product with a table sums the rows for each task."""
        from scipy.sparse import csr_array  # takes 0.2 s: not at `import quorate`

        shape = (self.n_tasks, self.shape[0] * self.shape[1])
        size = np.int32 if max(shape[1], len(self.row)) < 2**31 else np.int64  # scipy needs the same type in both
        row, start = self.row.astype(size, copy=False), self.start.astype(size, copy=False)
        return csr_array((np.ones(len(self.row)), row, start), shape=shape)

    @cached_property
    def _task(self) -> NDArray[np.int64]:
        return np.repeat(np.arange(self.n_tasks), np.diff(self.start))

    @cached_property
    def _cell(self) -> NDArray[np.int64]:
        """Index of each vote in a flat table of tasks x classes."""
        return self._task * self.shape[1] + self.row % self.shape[1]


def _rows(votes: Votes, order: NDArray[np.int64]) -> NDArray[Any]:
    largest = max((votes.n_workers + 1) * votes.n_classes, len(votes))
    row: NDArray[Any] = votes.worker[order].astype(np.int32 if largest < 2**31 else np.int64)
    row[row < 0] = votes.n_workers
    row *= votes.n_classes
    row += votes.label[order]
    return row


def _count(index: NDArray[Any], size: int) -> NDArray[np.int64]:
    """Count the occurrences of each index; in blocks, since numpy copies its input to eight bytes per entry."""
    total = np.zeros(size, dtype=np.int64)
    for begin in range(0, len(index), PART):
        total += np.bincount(index[begin : begin + PART], minlength=size)
    return total


def _hardmax_rows(scores: Array) -> Array:
    """Turn every row into the one-hot row of its (first) maximum, in place; return the maxima."""
    best, rows = scores.argmax(axis=1), np.arange(len(scores))
    highest: Array = scores[rows, best]
    scores[:] = 0
    scores[rows, best] = 1
    return highest


def _copy_to(probs: Array, out: Array | None) -> Array:
    if out is not None:
        out[:] = probs
    return probs
