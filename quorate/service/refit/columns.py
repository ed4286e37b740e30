"""Columns of the database as arrays, made part by part, so that rows are never all there at once."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Select

from quorate.service.store.blobs import BLOB_TYPE
from quorate.typing import Array

PART = 10_000  # rows that are turned into arrays at a time


def read_columns(
    connection: Connection, query: Select[Any], wanted: dict[str, Any], makers: Sequence[Callable[[Any], NDArray[Any]]]
) -> list[NDArray[Any]]:
    """The columns of a query, each by its own maker."""
    parts: list[list[NDArray[Any]]] = [[make(())] for make in makers]
    result = connection.execute(query, wanted, execution_options={"yield_per": PART})
    for rows in result.partitions():
        for column, make, values in zip(parts, makers, zip(*rows, strict=True), strict=True):
            column.append(make(values))
    return [np.concatenate(column) for column in parts]


def whole(values: Sequence[int | None]) -> NDArray[np.int64]:
    """Whole numbers; -1 where there is none."""
    return np.array([-1 if one is None else one for one in values], dtype=np.int64)


def numbers(values: Sequence[float | None]) -> Array:
    """Numbers; NaN where there is none."""
    return np.array([np.nan if one is None else one for one in values], dtype=np.float64)


class Words:
    """A column of few different texts as numbers, by the order in which they came; -1 where there is none."""

    def __init__(self, names: Sequence[str] = ()) -> None:
        self.numbers = {name: number for number, name in enumerate(names)}

    def __call__(self, values: Sequence[str | None]) -> NDArray[np.int16]:
        """The numbers of some texts."""
        known = self.numbers
        return np.array([-1 if one is None else known.setdefault(one, len(known)) for one in values], dtype=np.int16)


def rows_of(n_classes: int) -> Callable[[Sequence[bytes | None]], NDArray[np.float32]]:
    """Rows of probabilities from bytes; NaN where there are none."""
    nothing = np.full(n_classes, np.nan, dtype=BLOB_TYPE).tobytes()

    def made(blobs: Sequence[bytes | None]) -> NDArray[np.float32]:
        joined = b"".join(blob if blob and len(blob) == len(nothing) else nothing for blob in blobs)
        return np.frombuffer(joined, dtype=BLOB_TYPE).reshape(-1, n_classes)

    return made
