"""Some rows in place of all, where all would take too long."""

import numpy as np
from numpy.typing import NDArray


def at_most(rows: NDArray[np.int64], most: int, seed: int = 0) -> NDArray[np.int64]:
    """All rows, or so many of them at random, in their order.

    >>> at_most(np.arange(3), 5).tolist(), len(at_most(np.arange(100), 5))
    ([0, 1, 2], 5)
    """
    return rows if len(rows) <= most else np.sort(np.random.default_rng(seed).choice(rows, most, replace=False))
