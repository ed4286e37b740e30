"""Sums, logarithms and softmax over plain arrays."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.typing import Array

SMALLEST = np.finfo(np.float64).tiny  # smallest positive normal number
BLOCK = 1 << 15  # cells handled at a time: they stay in the processor's cache


def sum_at(index: NDArray[Any], weights: Array, shape: tuple[int, ...]) -> Array:
    """Return the weights summed by their (flat) index, in an array of this shape.

    >>> sum_at(np.array([0, 3, 0]), np.array([1.0, 2.0, 4.0]), (2, 2)).tolist()
    [[5.0, 0.0], [0.0, 2.0]]
    """
    total = np.bincount(index, weights=weights, minlength=math.prod(shape))
    return total.astype(np.float64, copy=False).reshape(shape)  # numpy returns integers for empty weights


def safe_log(values: Array) -> Array:
    """Return log(values), with zeros clipped to the smallest positive float.

    >>> safe_log(np.array([1.0, 0.0])).round(1).tolist()
    [0.0, -708.4]
    """
    return np.log(np.maximum(values, SMALLEST))


def column_blocks(rows: NDArray[Any]) -> Iterator[tuple[slice, NDArray[Any]]]:
    """Yield blocks of rows, transposed: (slice of the rows, block of shape (n_columns, n_rows_of_the_block)).

    numpy is several times faster along long rows than along short ones.
    """
    step = max(1, BLOCK // rows.shape[1])
    for begin in range(0, len(rows), step):
        part = slice(begin, begin + step)
        yield part, np.ascontiguousarray(rows[part].T)


def softmax_rows(scores: Array) -> Array:
    """Turn every row of log scores into probabilities, in place; return the log of the sum of each row.

    >>> scores = np.log([[1.0, 3.0], [2.0, 2.0]])
    >>> np.exp(softmax_rows(scores)).round(9).tolist(), scores.round(9).tolist()
    ([4.0, 4.0], [[0.25, 0.75], [0.5, 0.5]])
    """
    log_total = np.empty(len(scores))
    for part, columns in column_blocks(scores):
        highest = columns.max(axis=0)
        columns -= highest
        total = np.exp(columns, out=columns).sum(axis=0)
        columns /= total
        scores[part] = columns.T
        log_total[part] = np.log(total) + highest
    return log_total


def observed_first(matrices: Array) -> Array:
    """Return matrices, (..., true, observed), in the layout of the passes, (..., observed, true): a vote reads one row.

    A view returned by `true_first` is not copied.
    """
    return np.ascontiguousarray(np.swapaxes(matrices, -1, -2))


def true_first(table: Array) -> Array:
    """Return a table in the layout of the passes, (..., observed, true), as matrices, (..., true, observed): a view."""
    return np.swapaxes(table, -1, -2)
