"""Inner loops over all votes, in numpy and scipy or compiled by numba.

Only functions on arrays belong here: they do not know about votes, priors or options of methods, which are in
`quorate.inference` and `quorate.aggregation`. This is the only package that imports numba.
"""

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


def __dir__() -> list[str]:
    return sorted(__all__)
