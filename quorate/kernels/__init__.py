"""The inner loops: plain sums over arrays, and passes over all votes, in numpy and scipy or compiled by numba."""

from quorate.kernels.arrays import BLOCK, SMALLEST, column_blocks, safe_log, softmax_rows, sum_at
from quorate.kernels.passes import Passes, Tally, vote_passes

__all__ = ["BLOCK", "SMALLEST", "Passes", "Tally", "column_blocks", "safe_log", "softmax_rows", "sum_at", "vote_passes"]
