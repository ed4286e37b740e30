"""Medians by worker."""

import numpy as np

from quorate.data.votes import Votes
from quorate.typing import Array


def worker_medians(votes: Votes, values: Array) -> Array:
    """Return the median of each worker's values (one per vote, NaN ignored): (n_workers,), NaN without values.

    >>> votes = Votes.from_arrays([0, 1, 2], [0, 0, 1], [0, 0, 0], n_classes=2)
    >>> worker_medians(votes, np.array([1.0, 4.0, np.nan])).tolist()
    [2.5, nan]
    """
    valid = np.flatnonzero(~np.isnan(values) & (votes.worker >= 0))
    worker, values = votes.worker[valid], values[valid]
    ordered = values[np.lexsort((values, worker))]
    size = np.bincount(worker, minlength=votes.n_workers)
    first = np.cumsum(size) - size
    ordered = np.append(ordered, np.nan)  # read by workers without values
    lower, upper = (np.where(size > 0, first + middle, -1) for middle in ((size - 1) // 2, size // 2))
    return (ordered[lower] + ordered[upper]) / 2
