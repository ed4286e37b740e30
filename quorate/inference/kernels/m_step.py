"""The M-step of methods with a confusion matrix per worker; tables are (worker, observed, true), the pool's last."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.data.votes import Votes
from quorate.errors import MethodError
from quorate.inference.kernels.arrays import BLOCK, SMALLEST, column_blocks
from quorate.typing import Array

ZERO_COUNT = 1e-200  # counts below this are zeros that safe_log has clipped


def refuse_huge_tables(votes: Votes, states: int = 1) -> None:
    """Raise MethodError if a confusion matrix per worker (and state of a task) would take more than 4 GB."""
    gigabytes = (votes.n_workers + 1) * votes.n_classes**2 * states * 8 / 1e9
    if gigabytes > 4:
        raise MethodError(
            f"confusion matrices of {votes.n_classes}^2 cells for {votes.n_workers} workers take {gigabytes:.0f} GB: "
            "use sparse_dawid_skene, which stores only observed cells"
        )


def typical_worker(answers: Array) -> Array:
    """Return the response probabilities of the whole crowd: (observed, true), columns sum to one.

    answers: (n_workers + 1, observed, true), expected number of votes, as in Tally.
    """
    pool: Array = answers.sum(axis=0) + 1 / answers.shape[1]  # one vote added for each class: no label is impossible
    return pool / pool.sum(axis=0)


def log_conditional(counts: Array, pseudo_votes: Array) -> Array:
    """Return the log of counts plus pseudo-votes, (observed, true), normalised over the observed labels.

    A column without counts and pseudo-votes is replaced by the pool's counts. Workers are handled in blocks that stay
    in the processor's cache.
    """
    log_table = np.empty(counts.shape)
    step = max(1, BLOCK // pseudo_votes.size)
    for begin in range(0, len(counts), step):
        block = np.add(counts[begin : begin + step], pseudo_votes, out=log_table[begin : begin + step])
        if pseudo_votes.min() <= ZERO_COUNT:
            _fill_empty_columns(block, counts)
        log_total = np.log(block.sum(axis=1, keepdims=True))
        np.log(block, out=block)
        block -= log_total
    return log_table


def _fill_empty_columns(block: Array, counts: Array) -> None:
    """Replace columns without votes by the pool's, and zeros by the smallest positive number, in place."""
    block[block < ZERO_COUNT] = 0
    total = block.sum(axis=1, keepdims=True)
    if not total.all():
        pool = counts.sum(axis=0)
        pool = np.where(pool.sum(axis=0) > ZERO_COUNT, np.where(pool < ZERO_COUNT, 0, pool), 1)
        block[:] = np.where(total > 0, block, pool)
    np.maximum(block, SMALLEST, out=block)


def remainders(totals: NDArray[Any], parts: NDArray[Any]) -> Array:
    """Return the totals, (n,), minus the sum of each row of parts, (n, width).

    This is a sum and not a matrix product: single-precision kernels of BLAS may read past the end of an array and
    warn about invalid values there.

    >>> remainders(np.array([5, 3]), np.array([[1, 2], [0, 3]], dtype=np.float32)).tolist()
    [2.0, 0.0]
    """
    remainder = totals.astype(np.float64)
    for rows, columns in column_blocks(parts):
        remainder[rows] -= columns.sum(axis=0)
    return remainder
