"""Checks of arguments: probability rows, votes, gold labels, arrays of a shape."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.data.ids import Names, shown
from quorate.data.votes import Votes
from quorate.errors import MethodError, QuorateError, VotesError
from quorate.typing import Array

TOLERANCE = 0.01  # how far the sum of a row may be from one, such as by rounding to two digits
ROUNDING = 1e-9  # 0.51 + 0.5 - 1 is a little more than 0.01
MAX_ENTRIES = 6  # of a row, in a message


def probability_rows(
    values: ArrayLike,
    what: str = "probabilities",
    *,
    shape: tuple[int, int] | None = None,
    tasks: Names | None = None,
    error: type[QuorateError] = VotesError,
) -> NDArray[np.float64]:
    """Return a copy of class probabilities, (n, n_classes), each row scaled to sum to one.

    A row whose sum is within 0.01 of one is accepted. Any other row, and one with a negative, NaN or infinite entry,
    raises an error.

    Args:
        values: the probabilities.
        what: what the rows are called in messages.
        shape: the required shape; None accepts any number of rows and classes.
        tasks: names of the rows, for messages.
        error: the class of the error.

    >>> probability_rows([[0.5, 0.505]]).sum().round(12).item()
    1.0
    >>> probability_rows([[0.5, 0.5], [0.5, 0.6]])
    Traceback (most recent call last):
    quorate.errors.VotesError: probabilities, row 2: [0.5, 0.6], sum 1.1, but entries must be zero or more and sum to 1
    (within 0.01): divide each row by its sum, or apply a softmax to scores
    """
    rows = _numbers(values, what, shape, error)
    with np.errstate(all="ignore"):  # infinities of both signs
        totals = rows.sum(axis=1)
        good = (rows >= 0).all(axis=1) & (np.abs(totals - 1) <= TOLERANCE + ROUNDING)  # NaN compares false
    if not good.all():
        row = int(np.argmin(good))
        name = "" if tasks is None else f" (task {shown(tasks[row])})"
        raise error(
            f"{what}, row {row + 1}{name}: {_shortened(rows[row])}, sum {totals[row]:.6g}, but entries must be zero or "
            f"more and sum to 1 (within {TOLERANCE}): divide each row by its sum, or apply a softmax to scores"
        )
    rows /= totals[:, None]
    return rows


def _numbers(values: Any, what: str, shape: tuple[int, int] | None, error: type[QuorateError]) -> NDArray[np.float64]:
    try:
        rows = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):  # text, or rows of several lengths
        raise error(f"{what} must be numbers: a row per task and a column per class") from None
    if rows.ndim != 2 or (shape is not None and rows.shape != shape):
        wanted = "" if shape is None else f", {shape}"
        raise error(f"{what} must have a row per task and a column per class{wanted}, got shape {rows.shape}")
    return rows


def _shortened(row: NDArray[np.float64]) -> str:
    entries = [f"{value:.4g}" for value in row[:MAX_ENTRIES]] + ["..."] * (len(row) > MAX_ENTRIES)
    return f"[{', '.join(entries)}]"


def require_votes(votes: Any, what: str = "votes") -> None:
    """Raise an error if the argument is not Votes."""
    if not isinstance(votes, Votes):
        raise VotesError(
            f"{what} must be Votes, got {type(votes).__name__}: make them with Votes.from_frame or read_votes"
        )


def gold_labels(
    gold: Any, n_rows: int, n_classes: int, what: str = "gold", *, tasks: Names | None = None
) -> NDArray[np.int64]:
    """Return a copy of gold labels as class indices, (n_rows,), -1 = none.

    Args:
        gold: the labels.
        n_rows: the required number of labels.
        n_classes: the number of classes.
        what: what the labels are called in messages.
        tasks: names of the rows, for messages.

    >>> gold_labels([0, 2], n_rows=2, n_classes=2)
    Traceback (most recent call last):
    quorate.errors.VotesError: gold of row 2 is 2: use -1 or 0 to 1
    """
    labels = np.asarray(gold)
    if labels.shape != (n_rows,) or (n_rows and labels.dtype.kind not in "iu"):
        raise VotesError(
            f"{what} must be one class index per task, -1 where there is none: {n_rows} whole numbers, "
            f"got {labels.dtype} of shape {labels.shape}; votes.gold(frame) makes it from a table"
        )
    bad = (labels < -1) | (labels >= n_classes)
    if bad.any():
        row = int(np.argmax(bad))
        name = f"row {row + 1}" if tasks is None else f"task {shown(tasks[row])}"
        raise VotesError(f"{what} of {name} is {labels[row]}: use -1 or 0 to {n_classes - 1}")
    return labels.astype(np.int64)


def in_shape(values: ArrayLike, shape: tuple[int, ...], what: str) -> Array:
    """Return the values as an array of this shape; a single value is repeated.

    >>> in_shape(2, (3,), "prices").tolist()
    [2.0, 2.0, 2.0]
    """
    array = np.asarray(values, dtype=np.float64)
    try:
        return np.broadcast_to(array, shape)
    except ValueError:
        raise MethodError(f"{what} must have shape {shape}, or one value for all, got shape {array.shape}") from None
