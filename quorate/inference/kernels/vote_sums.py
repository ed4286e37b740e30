"""Sums over votes: by task, and by worker and label."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.data.votes import Votes
from quorate.inference.kernels.arrays import true_first
from quorate.typing import Array

MIN_SPARSE_VOTES = 201  # fewer are added one by one: building a sparse matrix would take longer


def answer_counts(votes: Votes, probs: Array) -> Array:
    """Return the expected number of votes of each worker by true class and label: (n_workers + 1, true, observed)."""
    n_classes = votes.n_classes
    cell = votes.voter * n_classes + votes.label  # (voter, observed)
    on_task = _indicator(cell, votes.task, ((votes.n_workers + 1) * n_classes, votes.n_tasks))
    counts: Array = on_task @ probs
    return true_first(counts.reshape(-1, n_classes, n_classes))


def sum_by_task(votes: Votes, rows: Array) -> Array:
    """Return one row per vote, (n_votes, m), summed over the votes of each task: (n_tasks, m)."""
    if len(votes) < MIN_SPARSE_VOTES:
        total = np.zeros((votes.n_tasks, rows.shape[1]))
        np.add.at(total, votes.task, rows)
        return total
    sums: Array = _indicator(votes.task, np.arange(len(votes)), (votes.n_tasks, len(votes))) @ rows
    return sums


def _indicator(row: NDArray[Any], column: NDArray[Any], shape: tuple[int, int]) -> Any:
    """Return a sparse matrix that counts the votes in every row and column."""
    from scipy.sparse import csr_array  # slow to import: loaded on first use

    return csr_array((np.ones(len(row)), (row, column)), shape=shape)
