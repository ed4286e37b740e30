"""Parquet, a batch of rows at a time (with pyarrow). Images may be addresses or the bytes themselves.

A file of a few bytes can stand for any number of gigabytes. So sizes are looked at first: those of pages before a row
group is unpacked (`parquet_plan`), and those of cells before Python objects are made of them.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import FileError, MissingExtraError
from quorate.service.imports.columns import Columns
from quorate.service.imports.readers.arrow_sizes import cell_sizes, holds_binary
from quorate.service.imports.readers.parquet_plan import check_footer, plan_row_group, unreadable
from quorate.service.imports.table import Cells, Reading, items_of
from quorate.service.items.rows import BadRow, Limits, Rows

BUFFER = 1 << 20  # bytes read from the file at a time; without it, pyarrow reads whole columns
AT_ONCE = 4_000_000  # bytes of cells that become Python objects at a time, or one row


def read(path: Path, reading: Reading) -> Rows:
    """The items of a Parquet file."""
    header, cells = cells_of(path, reading.limits, lambda schema: _wanted(reading.columns, schema))
    return items_of(cells, reading, header)


def cells_of(
    path: Path, limits: Limits, wanted: Callable[[Any], Sequence[str]] | None = None
) -> tuple[list[str], Iterator[Cells]]:
    """The names of its columns, and the cells of its rows. wanted: chooses columns by the schema; none = all."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError('Parquet needs pyarrow: pip install "quorate[arrow]", or give CSV') from None
    check_footer(path)
    try:
        file = pyarrow.parquet.ParquetFile(path, buffer_size=BUFFER)
        schema = file.schema_arrow
    except (pyarrow.ArrowException, OSError) as error:
        raise FileError(f"not a Parquet file ({_line(error)})") from None
    names = list(schema.names) if wanted is None else wanted(schema)
    left_out = unreadable(file, names)
    if left_out and wanted is not None:
        raise FileError(f"the column {min(left_out)!r} holds lists of texts, or very long lists: it cannot be used")
    return list(schema.names), _cells(file, path, [name for name in names if name not in left_out], limits)


def _wanted(columns: Columns, schema: Any) -> list[str]:
    """The columns that an import uses, or may use as numbers."""
    import pyarrow.types as types

    found = columns.found_in(schema.names)
    spare = found.left_over(schema.names)
    if found.features is not None:
        numbers = list(found.features)
    elif "features" in spare:
        numbers = ["features"]
    else:
        numbers = [name for name in spare if not types.is_nested(schema.field(name).type)]
    used = {*found.used(), *numbers}
    return [name for name in schema.names if name in used]


def _cells(file: Any, path: Path, names: Sequence[str], limits: Limits) -> Iterator[Cells]:
    from pyarrow import ArrowException

    if not names:
        yield 1, {}  # nothing to read: the step that makes items of rows reports it
        return
    number, size = 0, 0
    with file, path.open("rb") as raw:
        try:
            for group in range(file.metadata.num_row_groups):
                rows = plan_row_group(file, raw, group, names)
                for batch in file.iter_batches(rows, row_groups=[group], columns=names, use_threads=False):
                    sizes = _RowSizes(batch, limits)
                    size += sizes.total
                    if size > limits.unpacked:
                        raise FileError(f"the file unpacks to more than {limits.unpacked:,} bytes: split it")
                    yield from _rows(batch, sizes, number)
                    number += batch.num_rows
        except (ArrowException, OSError) as error:
            raise FileError(f"the Parquet file cannot be read after row {number:,} ({_line(error)})") from None


class _RowSizes:
    """The bytes of the rows of a batch, and which rows are too large. Images and sounds have a limit of their own."""

    def __init__(self, batch: Any, limits: Limits) -> None:
        media = texts = np.zeros(batch.num_rows, np.int64)
        for field, column in zip(batch.schema, batch.columns, strict=True):
            if holds_binary(field.type):
                media = media + cell_sizes(column)
            else:
                texts = texts + cell_sizes(column)
        self.rows: NDArray[np.int64] = media + texts
        self.total = int(self.rows.sum())
        self.too_large = (texts > limits.row) | (media > max(limits.image, limits.audio))


def _rows(batch: Any, sizes: _RowSizes, before: int) -> Iterator[Cells]:
    """The rows of a batch, a few of them at a time made into Python objects."""
    start = 0
    while start < batch.num_rows:
        if sizes.too_large[start]:
            size = int(sizes.rows[start])
            yield BadRow(before + start + 1, f"the row is too large: {size:,} bytes when it is unpacked")
            start += 1
            continue
        end = _end_of_few(sizes, start)
        yield from _objects(batch.slice(start, end - start), before + start)
        start = end


def _end_of_few(sizes: _RowSizes, start: int) -> int:
    """Where to stop: before a row that is too large, or when there are many bytes."""
    end, size = start + 1, int(sizes.rows[start])
    while end < len(sizes.rows) and not sizes.too_large[end] and size + sizes.rows[end] <= AT_ONCE:
        size += int(sizes.rows[end])
        end += 1
    return end


def _objects(few: Any, before: int) -> Iterator[Cells]:
    try:
        yield from enumerate(few.to_pylist(), start=before + 1)
    except (ValueError, OverflowError) as error:  # such as text that is not UTF-8, or a date beyond the year 9999
        if few.num_rows == 1:
            yield BadRow(before + 1, f"a cell of the row cannot be read ({_line(error)})")
            return
        for place in range(few.num_rows):
            yield from _objects(few.slice(place, 1), before + place)


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
