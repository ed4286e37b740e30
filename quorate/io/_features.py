"""Columns of a table as features: every cell a finite number, or an error that names its column and row."""

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from quorate.data.ids import Names, first_row, shown
from quorate.errors import VotesError

ANSWERS = ("label", "worker", "split", "gold")  # columns that are not features, even if they hold numbers


def number_matrix(
    table: pl.DataFrame, columns: Sequence[str], tasks: Names, *, beside_text: bool = False
) -> NDArray[np.float32]:
    """Return feature columns as a matrix of finite numbers."""
    for column in columns:
        if column.strip().lower() in ANSWERS:
            raise VotesError(f"column {column!r} is not a feature of the items: leave it out, or rename it")
    if not columns:
        raise VotesError("there is no column besides the task: add features, or a column text or image")
    numbers = np.empty((len(table), len(columns)), dtype=np.float32)
    for index, column in enumerate(columns):
        numbers[:, index] = numbers_of(table[column], tasks, beside_text=beside_text)
    return numbers


def numbers_of(column: pl.Series, tasks: Names, *, beside_text: bool = False) -> NDArray[np.float32]:
    """Return a column as numbers, one per task."""
    _require_plain(column)
    values = column.cast(pl.Float64, strict=False)
    filled = column.is_not_null() if column.dtype != pl.String else (column.str.strip_chars() != "").fill_null(False)
    odd = (values.is_null() & filled).to_numpy()
    if odd.any():
        cell = _short(column[int(np.argmax(odd))])
        raise VotesError(
            f"column {column.name!r} holds {cell} (row {first_row(odd)}), which is not a number: "
            f"leave the column out, turn it into numbers, or {_as_text(column.name, beside_text)}"
        )
    with np.errstate(over="ignore"):
        numbers = values.to_numpy().astype(np.float32)
    bad = ~np.isfinite(numbers)
    if bad.any():
        first = values[int(np.argmax(bad))]
        where = f"row {first_row(bad)}, task {shown(tasks[np.argmax(bad)])}"
        if first is not None and np.isfinite(first):
            raise VotesError(f"column {column.name!r} holds {first:g} ({where}), which is too large: divide the column")
        what = "is empty" if first is None or np.isnan(first) else "is infinite"
        raise VotesError(f"column {column.name!r} {what} ({where}): fill it in, such as with the column's mean")
    return numbers


def _short(cell: str) -> str:
    return repr(cell if len(cell) <= 40 else f"{cell[:39]}…")


def _as_text(name: str, beside_text: bool) -> str:
    role = "text_b" if beside_text else "text"
    what = "name it as the second text of a pair" if beside_text else "call it text"
    return f"{what} (--columns {role}={name})"


def _require_plain(column: pl.Series) -> None:
    """Raise an error if a column holds neither numbers nor text nor truth values."""
    kind = column.dtype
    if kind.is_numeric() or kind in (pl.String, pl.Boolean, pl.Null):
        return
    if kind.is_temporal():
        advice = "leave it out, or turn it into numbers, such as days since a start"
    elif kind in (pl.Categorical, pl.Enum):
        advice = "leave it out, or give every category a column of 0 and 1"
    else:
        advice = "leave it out, or give every number a column of its own"
    raise VotesError(f"column {column.name!r} has type {kind.base_type()}, which is not a number: {advice}")
