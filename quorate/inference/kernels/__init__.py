"""The inner loops: plain sums over arrays, and passes over all votes, in numpy and scipy or compiled by numba."""

from quorate.inference.kernels.arrays import (
    BLOCK,
    SMALLEST,
    column_blocks,
    observed_first,
    safe_log,
    softmax_rows,
    sum_at,
    true_first,
)
from quorate.inference.kernels.e_step import Passes, Tally, vote_passes

__all__ = [
    "BLOCK",
    "SMALLEST",
    "Passes",
    "Tally",
    "column_blocks",
    "observed_first",
    "safe_log",
    "softmax_rows",
    "sum_at",
    "true_first",
    "vote_passes",
]
