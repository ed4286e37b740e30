"""Tables as bytes, frame by frame: CSV, JSON lines and Parquet."""

import io
from collections.abc import Iterator
from typing import Any

import polars as pl

from quorate.errors import MissingExtraError
from quorate.service.csv_escape import DANGEROUS, escaped

TIME_FORMAT = "%Y-%m-%dT%H:%M:%S%.3fZ"


def to_csv(schema: dict[str, Any], frames: Iterator[pl.DataFrame]) -> Iterator[bytes]:
    """CSV with a header. Cells that a spreadsheet would run as a formula get an apostrophe before."""
    header = pl.DataFrame([[escaped(name)] for name in schema], schema=[str(place) for place in range(len(schema))])
    yield header.write_csv(include_header=False).encode()
    for frame in frames:
        texts = [name for name, kind in frame.schema.items() if kind == pl.String]
        harmless = frame.with_columns(_harmless(name) for name in texts)
        yield harmless.write_csv(include_header=False, datetime_format=TIME_FORMAT).encode()


def _harmless(column: str) -> pl.Expr:
    text = pl.col(column)
    return pl.when(text.str.contains(DANGEROUS)).then(pl.lit("'") + text).otherwise(text).alias(column)


def to_jsonl(_: dict[str, Any], frames: Iterator[pl.DataFrame]) -> Iterator[bytes]:
    """One object per line."""
    for frame in frames:
        times = [name for name, kind in frame.schema.items() if isinstance(kind, pl.Datetime)]
        yield frame.with_columns(pl.col(times).dt.strftime(TIME_FORMAT)).write_ndjson().encode()


def to_parquet(schema: dict[str, Any], frames: Iterator[pl.DataFrame]) -> Iterator[bytes]:
    """Parquet, written as it goes: a group of rows per frame."""
    try:
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError('Parquet needs pyarrow: pip install "quorate[arrow]", or ask for CSV') from None
    empty = _plain(pl.DataFrame(schema=schema))
    return _parquet(pyarrow.parquet.ParquetWriter, empty, frames)


def _parquet(writer_of: Any, empty: pl.DataFrame, frames: Iterator[pl.DataFrame]) -> Iterator[bytes]:
    sink = _Sink()
    form = empty.to_arrow().schema
    with writer_of(sink, form) as writer:
        for frame in frames:
            writer.write_table(_plain(frame).to_arrow().cast(form))
            yield sink.taken()
    yield sink.taken()


def _plain(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(pl.col(name).cast(pl.String) for name, kind in frame.schema.items() if kind == pl.Enum)


class _Sink(io.RawIOBase):
    """A file that is only written to, and emptied meanwhile."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def writable(self) -> bool:
        """It is."""
        return True

    def write(self, data: Any) -> int:
        """Keep some bytes until they are taken."""
        part = bytes(data)
        self._parts.append(part)
        self._size += len(part)
        return len(part)

    def tell(self) -> int:
        """How many bytes were written in all."""
        return self._size

    def taken(self) -> bytes:
        """What was written since the last time."""
        parts, self._parts = self._parts, []
        return b"".join(parts)
