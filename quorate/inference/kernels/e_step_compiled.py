"""The passes over all votes, compiled, with the tasks split over threads."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.data.votes import Votes
from quorate.errors import MethodError
from quorate.inference.kernels import numba_loops
from quorate.inference.kernels.e_step import Passes, Tally
from quorate.inference.kernels.m_step import remainders
from quorate.typing import Array

MAX_ROW_PASS_CLASSES = 12  # their sums fit into registers; with more classes, scipy is faster
MAX_SINGLE_PRECISION_COUNT = 1024  # votes of a worker for a class; larger sums need double precision


class CompiledPasses(Passes):
    """Compiled passes, see Passes. QUORATE_THREADS sets the number of threads; by default, that of the processors."""

    def __init__(self, votes: Votes) -> None:
        super().__init__(votes)
        self.start = self.start.astype(self.row.dtype)
        row_type = np.uint16 if self.votes_per_answer.size <= 1 << 16 else self.row.dtype  # less memory to read
        # Padded, since the loops prefetch beyond the last vote.
        self.padded_row = np.zeros(len(self.row) + numba_loops.PREFETCH_DISTANCE, row_type)
        self.padded_row[: len(self.row)] = self.row
        self.row = self.padded_row[: len(self.row)]
        self.parts = self._split_tasks(_n_threads())

    def row_pass(self, log_table: Array, log_prior: Array, *, hard: bool = False, out: Array | None = None) -> Tally:
        """See Passes. The last class follows from the others: only they are summed."""
        width = log_table.shape[2]
        if width > MAX_ROW_PASS_CLASSES:
            return super().row_pass(log_table, log_prior, hard=hard, out=out)
        last_class = log_table[..., -1]
        table = np.empty((*self.shape, width - 1), np.float32)
        np.subtract(log_table[..., :-1], last_class[..., None], out=table, casting="same_kind")
        counts, classes, evidence = self._tally(numba_loops.row_pass(width, hard), table.ravel(), log_prior, out)
        answers = np.empty(log_table.shape)
        answers[..., :-1] = counts.reshape(table.shape)
        rest = remainders(self.votes_per_answer.ravel(), counts.reshape(-1, width - 1))
        np.maximum(rest.reshape(self.shape), 0, out=answers[..., -1])
        return Tally(answers, classes, evidence + float((self.votes_per_answer * last_class).sum()))

    def row_tally(self, probs: Array) -> Tally:
        """See Passes."""
        answers = np.zeros((self.shape[0] * self.shape[1], probs.shape[1]))
        numba_loops.row_tally(self.start, self.padded_row, probs, answers)
        return Tally(answers.reshape(*self.shape, probs.shape[1]), self.voted @ probs)

    def vote_pass(self, log_odds: Array, log_prior: Array, *, out: Array | None = None) -> Tally:
        """See Passes."""
        if self.shape[1] > numba_loops.MAX_CLASSES:
            return super().vote_pass(log_odds, log_prior, out=out)
        table = log_odds.astype(np.float32).ravel()
        right, classes, evidence = self._tally(numba_loops.vote_pass(self.shape[1]), table, log_prior, out)
        return Tally(right.reshape(self.shape).astype(np.float64), classes, evidence)

    def vote_tally(self, probs: Array) -> Tally:
        """See Passes."""
        right = np.zeros(self.shape)
        numba_loops.vote_tally(self.start, self.padded_row, probs, right.ravel())
        return Tally(right, self.voted @ probs)

    def edge_pass(
        self, ability: Array, easiness: Array, log_prior: Array, *, out: Array | None = None
    ) -> tuple[float, Array, Array]:
        """See Passes."""
        run, by_task, probs = numba_loops.edge_pass(self.shape[1]), np.empty(self.n_tasks), _or_empty(out)

        def part(tasks: NDArray[np.int64]) -> tuple[float, Array]:
            by_worker = np.zeros(self.shape[0])
            evidence = run(self.start, self.padded_row, ability, easiness, log_prior, by_worker, by_task, probs, tasks)
            return evidence, by_worker

        parts = self._over_threads(part)
        return sum(evidence for evidence, _ in parts), np.sum([gradient for _, gradient in parts], axis=0), by_task

    def _tally(
        self, run: Any, table: NDArray[np.float32], log_prior: Array, out: Array | None
    ) -> tuple[NDArray[Any], Array, float]:
        """Run a pass; return sums by row, sums by class and the evidence."""
        prior, probs = log_prior.astype(np.float32), _or_empty(out)
        precision = np.float32 if self.votes_per_answer.max() <= MAX_SINGLE_PRECISION_COUNT else np.float64

        def part(tasks: NDArray[np.int64]) -> tuple[NDArray[Any], Array, float]:
            counts, classes = np.zeros(len(table), precision), np.zeros(log_prior.shape[1])
            evidence = run(self.start, self.padded_row, table, prior, counts, classes, probs, tasks)
            return counts, classes, evidence

        counts, classes, evidence = zip(*self._over_threads(part), strict=True)
        return sum(counts[1:], start=counts[0]), sum(classes[1:], start=classes[0]), sum(evidence)

    def _split_tasks(self, n_threads: int) -> list[NDArray[np.int64]]:
        """Return (first, last + 1) of the tasks of each thread, with about the same number of votes."""
        bounds = np.searchsorted(self.start, np.linspace(0, len(self.row), n_threads + 1).astype(self.start.dtype))
        bounds[0], bounds[-1] = 0, self.n_tasks
        return [bounds[thread : thread + 2] for thread in range(n_threads)]

    def _over_threads(self, part: Callable[[NDArray[np.int64]], Any]) -> list[Any]:
        if len(self.parts) == 1:
            return [part(self.parts[0])]
        with ThreadPoolExecutor(len(self.parts)) as pool:
            return list(pool.map(part, self.parts))


def _n_threads() -> int:
    setting = os.environ.get("QUORATE_THREADS", "").strip()
    if not setting:
        return os.cpu_count() or 1
    if not setting.isdigit() or setting == "0":
        raise MethodError(f"QUORATE_THREADS must be a whole number above zero, got {setting!r}")
    return int(setting)


def _or_empty(out: Array | None) -> Array:
    return np.empty((0, 1)) if out is None else out
