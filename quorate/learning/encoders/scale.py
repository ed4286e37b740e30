"""One scale for all features: centred over the pool, of mean squared length 1, and reduced to few columns."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from scipy.linalg import eigh

from quorate.learning.tuning import TUNING
from quorate.parallel import one_blas_thread
from quorate.typing import Array

MIN_SQUARE = 1e-24  # mean squared row length below which all items are the same, but for rounding
CHUNK = 4096  # rows that are converted to float64 at a time
MAX_ROWS, MAX_SIDE = 20_000, 2048  # of a table, and of its smaller side, that principal directions are computed from


@dataclass(frozen=True, eq=False)
class PoolScale:
    """The scale of a pool, which new items can be brought to as well.

    Principal directions of a larger pool are those of 20,000 rows drawn at random (2,048 where a row has more columns
    than that).

    Attributes:
        mean: mean row of the pool, (n_inputs,).
        directions: principal directions, (n_inputs, n_columns), divided such that the mean squared length of a row of
            the pool is 1.
    """

    mean: Array
    directions: Array

    @classmethod
    def fit(cls, table: Any) -> Self:
        """Return the scale of a table of items x inputs, which needs no labels.

        >>> PoolScale.fit(np.array([[1.0, 5.0], [3.0, 5.0]])).apply(np.array([[3.0, 5.0], [4.0, 9.0]])).tolist()
        [[1.0], [2.0]]
        """
        n_rows, n_inputs = table.shape
        mean: Array = np.asarray(np.mean(table, axis=0, dtype=np.float64))
        most = MAX_ROWS if n_inputs <= MAX_SIDE else MAX_SIDE
        sample = table
        if n_rows > most:
            sample = table[np.sort(np.random.default_rng(0).choice(n_rows, most, replace=False))]
        with one_blas_thread():
            directions = _principal_directions(sample - mean, min(TUNING.pool_columns, n_inputs, max(1, n_rows - 1)))
        unscaled = cls(mean, directions)
        length = np.sqrt(np.square(unscaled.apply(table)).sum(axis=1).mean())
        return cls(mean, directions / length if length > 1e-9 else np.zeros_like(directions))

    def apply(self, table: Any) -> Array:
        """Return the features of items on this scale: (n_items, n_columns)."""
        chunks = [(table[start : start + CHUNK] - self.mean) @ self.directions for start in range(0, len(table), CHUNK)]
        return np.concatenate([np.empty((0, self.directions.shape[1])), *chunks])


def unit_scale(x: Array) -> Array:
    """Return features centred over all items, and divided by one number so that the mean squared row length is one.

    One penalty of the weights then suits any features, whatever their number and unit.

    >>> unit_scale(np.array([[1.0, 5.0], [3.0, 5.0]])).tolist()
    [[-1.0, 0.0], [1.0, 0.0]]
    """
    centred = x - x.mean(axis=0)
    mean_square = float(np.square(centred).sum(axis=1).mean())
    return centred / np.sqrt(mean_square) if mean_square > MIN_SQUARE else np.zeros_like(centred)


def _principal_directions(centred: Array, n_columns: int) -> Array:
    """Return the directions of largest variance, (n_inputs, n_columns), from the products of the smaller side."""
    n_rows, n_inputs = centred.shape
    by_rows = n_rows < n_inputs
    products = centred @ centred.T if by_rows else centred.T @ centred
    size = len(products)
    variances, vectors = eigh(products, subset_by_index=[size - n_columns, size - 1])  # in increasing order
    directions: Array = vectors[:, ::-1]
    if by_rows:
        lengths = np.sqrt(np.maximum(variances[::-1], 0))
        directions = centred.T @ (directions / np.where(lengths > 1e-9 * max(lengths[0], 1e-9), lengths, np.inf))
    # The sign of a direction is arbitrary; with its largest entry positive, results can be compared.
    largest = directions[np.abs(directions).argmax(axis=0), np.arange(n_columns)]
    return directions * np.where(largest < 0, -1, 1)
