"""The M-step of methods with a confusion matrix per worker; tables are (worker, observed, true), the pool's last."""

import numpy as np

from quorate.data.votes import Votes
from quorate.errors import MethodError
from quorate.inference.kernels.arrays import BLOCK, SMALLEST
from quorate.typing import Array

NOTHING = 1e-200  # fewer votes than this are what is left of none after safe_log


def refuse_huge_tables(votes: Votes, states: int = 1) -> None:
    """Say so before memory runs out: a matrix per worker grows with the square of the classes."""
    gigabytes = (votes.n_workers + 1) * votes.n_classes**2 * states * 8 / 1e9
    if gigabytes > 4:
        raise MethodError(
            f"a matrix of {votes.n_classes}^2 cells for each of {votes.n_workers} workers takes {gigabytes:.0f} GB: "
            "use sparse_dawid_skene, which holds only what was seen"
        )


def typical_worker(answers: Array) -> Array:
    """How the whole crowd answers, given what each worker answered: (observed, true), columns sum to one."""
    pool: Array = answers.sum(axis=0) + 1 / answers.shape[1]  # one more vote for each class: no answer is impossible
    return pool / pool.sum(axis=0)


def log_conditional(counts: Array, pseudo_votes: Array) -> Array:
    """Log of counts and pseudo-votes (observed, true), normalised over the observed labels.

    Where there are none at all, the pool's counts stand in. Workers go in blocks that stay in the processor's cache.
    """
    log_table = np.empty(counts.shape)
    step = max(1, BLOCK // pseudo_votes.size)
    for begin in range(0, len(counts), step):
        block = np.add(counts[begin : begin + step], pseudo_votes, out=log_table[begin : begin + step])
        if pseudo_votes.min() <= NOTHING:
            _fill_nothing(block, counts)
        log_total = np.log(block.sum(axis=1, keepdims=True))
        np.log(block, out=block)
        block -= log_total
    return log_table


def _fill_nothing(block: Array, counts: Array) -> None:
    """Where a worker has no votes for a true class let everybody's stand in, and let zero be hardly any, in place."""
    block[block < NOTHING] = 0
    total = block.sum(axis=1, keepdims=True)
    if not total.all():
        pool = counts.sum(axis=0)
        pool = np.where(pool.sum(axis=0) > NOTHING, np.where(pool < NOTHING, 0, pool), 1)
        block[:] = np.where(total > 0, block, pool)
    np.maximum(block, SMALLEST, out=block)
