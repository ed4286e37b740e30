"""Sums over votes by task, and by worker and label, for pools of any size."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.data.votes import Votes
from quorate.inference.kernels.arrays import true_first
from quorate.typing import Array

FEW = 200  # votes that are added up one by one: to make a sparse matrix of them would take longer


def answer_counts(votes: Votes, probs: Array) -> Array:
    """Return the expected number of votes of each worker by true class and label: (n_workers + 1, true, observed)."""
    n_classes = votes.n_classes
    cell = votes.voter * n_classes + votes.label  # (voter, observed)
    on_task = _indicator(cell, votes.task, ((votes.n_workers + 1) * n_classes, votes.n_tasks))
    counts: Array = on_task @ probs
    return true_first(counts.reshape(-1, n_classes, n_classes))


def summed(votes: Votes, rows: Array) -> Array:
    """Return the rows of votes, (n_votes, m), summed over the votes of each task: (n_tasks, m)."""
    if len(votes) <= FEW:
        few = np.zeros((votes.n_tasks, rows.shape[1]))
        np.add.at(few, votes.task, rows)
        return few
    total: Array = _indicator(votes.task, np.arange(len(votes)), (votes.n_tasks, len(votes))) @ rows
    return total


def _indicator(row: NDArray[Any], column: NDArray[Any], shape: tuple[int, int]) -> Any:
    """A sparse matrix that counts the votes of every row and column."""
    from scipy.sparse import csr_array  # heavy: imported by those who use it

    return csr_array((np.ones(len(row)), (row, column)), shape=shape)
