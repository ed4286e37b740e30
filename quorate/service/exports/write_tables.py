"""Tables as bytes, frame by frame: CSV, JSON lines and Parquet."""

import io
from collections.abc import Iterator
from typing import Any

import polars as pl

from quorate.errors import MissingExtraError
from quorate.service.csv_escape import FORMULA, escape

TIME_FORMAT = "%Y-%m-%dT%H:%M:%S%.3fZ"


def to_csv(schema: dict[str, Any], frames: Iterator[pl.DataFrame]) -> Iterator[bytes]:
    """Yield CSV with a header. Cells that a spreadsheet would run as a formula start with an apostrophe."""
    header = pl.DataFrame([[escape(name)] for name in schema], schema=[str(index) for index in range(len(schema))])
    yield header.write_csv(include_header=False).encode()
    for frame in frames:
        texts = [name for name, kind in frame.schema.items() if kind == pl.String]
        escaped = frame.with_columns(_escape_column(name) for name in texts)
        yield escaped.write_csv(include_header=False, datetime_format=TIME_FORMAT).encode()


def _escape_column(column: str) -> pl.Expr:
    text = pl.col(column)
    return pl.when(text.str.contains(FORMULA)).then(pl.lit("'") + text).otherwise(text).alias(column)


def to_jsonl(_: dict[str, Any], frames: Iterator[pl.DataFrame]) -> Iterator[bytes]:
    """Yield one JSON object per line."""
    for frame in frames:
        times = [name for name, kind in frame.schema.items() if isinstance(kind, pl.Datetime)]
        yield frame.with_columns(pl.col(times).dt.strftime(TIME_FORMAT)).write_ndjson().encode()


def to_parquet(schema: dict[str, Any], frames: Iterator[pl.DataFrame]) -> Iterator[bytes]:
    """Yield Parquet while it is written: one row group per frame."""
    try:
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError('Parquet needs pyarrow: pip install "quorate[arrow]", or ask for CSV') from None
    empty = _without_enums(pl.DataFrame(schema=schema))
    return _write_parquet(pyarrow.parquet.ParquetWriter, empty, frames)


def _write_parquet(open_writer: Any, empty: pl.DataFrame, frames: Iterator[pl.DataFrame]) -> Iterator[bytes]:
    buffer = _DrainableBuffer()
    arrow_schema = empty.to_arrow().schema
    with open_writer(buffer, arrow_schema) as writer:
        for frame in frames:
            writer.write_table(_without_enums(frame).to_arrow().cast(arrow_schema))
            yield buffer.drain()
    yield buffer.drain()


def _without_enums(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(pl.col(name).cast(pl.String) for name, kind in frame.schema.items() if kind == pl.Enum)


class _DrainableBuffer(io.RawIOBase):
    """A write-only file in memory, drained while it is written."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def writable(self) -> bool:
        """Return True."""
        return True

    def write(self, data: Any) -> int:
        """Hold some bytes until they are drained, and return their number."""
        part = bytes(data)
        self._parts.append(part)
        self._size += len(part)
        return len(part)

    def tell(self) -> int:
        """Return the number of bytes written in total."""
        return self._size

    def drain(self) -> bytes:
        """Return what was written since the last call."""
        parts, self._parts = self._parts, []
        return b"".join(parts)
