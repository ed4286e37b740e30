"""A table to export: its columns are known in advance, its rows are produced in frames."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import polars as pl
from sqlalchemy import Connection

from quorate.service.money import UNIT
from quorate.service.projects.plan import Plan

FRAME_ROWS = 5000  # small enough for the processor's cache, which doubles the speed
MONEY_DIGITS = 6
TIME = pl.Datetime("ms", "UTC")
Schema: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class Export:
    """Columns with their types, and the rows."""

    schema: Schema
    frames: Iterator[pl.DataFrame]


Exporter: TypeAlias = Callable[[Connection, Plan], Export]


def frame_of(names: Sequence[str], rows: Sequence[Sequence[Any]], types: Mapping[str, Any]) -> pl.DataFrame:
    """Return rows of a database driver as a frame."""
    columns = zip(names, zip(*rows, strict=True), strict=True)
    return pl.DataFrame([pl.Series(name, values, dtype=types.get(name), strict=False) for name, values in columns])


def fetch_rows(connection: Connection, query: Any, parameters: Mapping[str, Any] | None = None) -> Iterator[list[Any]]:
    """Yield the rows of a query in parts, directly from the driver, without conversion of their values."""
    result = connection.execute(query, dict(parameters or {}))
    cursor: Any = result.cursor
    while rows := cursor.fetchmany(FRAME_ROWS):
        yield rows
    result.close()


def money_column(column: str) -> pl.Expr:
    """Return a column of money, converted from millionths."""
    return (pl.col(column) / UNIT).round(MONEY_DIGITS).alias(column)


def time_column(column: str) -> pl.Expr:
    """Return a column of times, converted from seconds since 1970."""
    return pl.from_epoch((pl.col(column) * 1000).round().cast(pl.Int64), "ms").dt.replace_time_zone("UTC").alias(column)
