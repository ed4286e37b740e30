"""Columns of a query as arrays. Rows are converted in parts, so that they are never all in memory as objects."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Select

from quorate.service.store.blobs import BLOB_TYPE
from quorate.typing import Array

PART = 10_000  # rows that are converted at a time
OTHER = -2  # the number of a text that is not in the list

Converter = Callable[[Sequence[Any]], NDArray[Any]]


def read_columns(
    connection: Connection, query: Select[Any], parameters: dict[str, Any], converters: Sequence[Converter]
) -> list[NDArray[Any]]:
    """Return the columns of a query, each made by its own converter."""
    parts: list[list[NDArray[Any]]] = [[convert(())] for convert in converters]
    result = connection.execute(query, parameters, execution_options={"yield_per": PART})
    for rows in result.partitions():
        for column, convert, values in zip(parts, converters, zip(*rows, strict=True), strict=True):
            column.append(convert(values))
    return [np.concatenate(column) for column in parts]


def integers(values: Sequence[int | None]) -> NDArray[np.int64]:
    """Return whole numbers; -1 where there is none.

    >>> integers([3, None]).tolist()
    [3, -1]
    """
    return np.array([-1 if value is None else value for value in values], dtype=np.int64)


def floats(values: Sequence[float | None]) -> Array:
    """Return numbers; NaN where there is none."""
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def booleans(values: Sequence[bool]) -> NDArray[np.bool_]:
    """Return truth values."""
    return np.array(values, dtype=bool)


def indices_into(names: Sequence[str]) -> Converter:
    """Return a converter of texts to their index in a list; -1 where there is none, OTHER where it is not listed.

    >>> indices_into(["a", "b"])(["b", None, "c"]).tolist()
    [1, -1, -2]
    """
    numbers: dict[str | None, int] = {None: -1} | {name: number for number, name in enumerate(names)}

    def convert(values: Sequence[str | None]) -> NDArray[np.int16]:
        return np.array([numbers.get(value, OTHER) for value in values], dtype=np.int16)

    return convert


@cache
def probability_rows(n_classes: int) -> Converter:
    """Return a converter of bytes to rows of probabilities, (n, n_classes) as float32; NaN where there are none."""
    nothing = np.full(n_classes, np.nan, dtype=BLOB_TYPE).tobytes()

    def convert(blobs: Sequence[bytes | None]) -> NDArray[np.float32]:
        joined = b"".join(blob if blob and len(blob) == len(nothing) else nothing for blob in blobs)
        return np.frombuffer(joined, dtype=BLOB_TYPE).reshape(-1, n_classes)

    return convert
