"""Parquet, a batch of rows at a time (with pyarrow). Images may be addresses or the bytes themselves.

A file of a few bytes can expand to many gigabytes. So sizes are checked first: those of pages before a row group is
decompressed (`parquet_plan`), and those of cells before they are converted to Python objects.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.errors import FileError, MissingExtraError
from quorate.service.imports.columns import Columns
from quorate.service.imports.parse_table import Cells, ReadOptions, parse_table
from quorate.service.imports.readers.arrow_sizes import cell_sizes, holds_binary
from quorate.service.imports.readers.parquet_plan import check_footer, plan_row_group, unreadable_columns
from quorate.service.items.rows import BadRow, Limits, Rows

BUFFER = 1 << 20  # bytes read from the file at a time; without it, pyarrow reads whole columns
MAX_OBJECT_BYTES = 4_000_000  # of cells that are converted to Python objects at a time, unless one row is larger


def read(path: Path, options: ReadOptions) -> Rows:
    """Yield the items of a Parquet file."""
    header, cells = read_cells(path, options.limits, lambda schema: _select_columns(options.columns, schema))
    return parse_table(cells, options, header)


def read_cells(
    path: Path, limits: Limits, select: Callable[[Any], Sequence[str]] | None = None
) -> tuple[list[str], Iterator[Cells]]:
    """Return the names of the columns, and an iterator over the cells of the rows.

    select: chooses the columns to read by the schema; None = all.
    """
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
        raise FileError(f"not a Parquet file ({_one_line(error)})") from None
    names = list(schema.names) if select is None else select(schema)
    unreadable = unreadable_columns(file, names)
    if unreadable and select is not None:
        raise FileError(f"the column {min(unreadable)!r} holds lists of texts, or very long lists: it cannot be used")
    return list(schema.names), _read_rows(file, path, [name for name in names if name not in unreadable], limits)


def _select_columns(columns: Columns, schema: Any) -> list[str]:
    """Return the columns that an import uses, or may use as numbers."""
    import pyarrow.types as types

    resolved = columns.resolve(schema.names)
    spare = resolved.unused(schema.names)
    if resolved.features is not None:
        numbers = list(resolved.features)
    elif "features" in spare:
        numbers = ["features"]
    else:
        numbers = [name for name in spare if not types.is_nested(schema.field(name).type)]
    used = {*resolved.used(), *numbers}
    return [name for name in schema.names if name in used]


def _read_rows(file: Any, path: Path, names: Sequence[str], limits: Limits) -> Iterator[Cells]:
    from pyarrow import ArrowException

    if not names:
        yield 1, {}  # nothing to read: `parse_table` reports it
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
                        raise FileError(f"the file expands to more than {limits.unpacked:,} bytes: split it")
                    yield from _convert_rows(batch, sizes, number)
                    number += batch.num_rows
        except (ArrowException, OSError) as error:
            raise FileError(f"the Parquet file cannot be read after row {number:,} ({_one_line(error)})") from None


class _RowSizes:
    """The sizes of the rows of a batch, and which rows are too large. Images and audio have their own limit."""

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


def _convert_rows(batch: Any, sizes: _RowSizes, before: int) -> Iterator[Cells]:
    """Yield the rows of a batch, converted to Python objects a few at a time."""
    start = 0
    while start < batch.num_rows:
        if sizes.too_large[start]:
            size = int(sizes.rows[start])
            yield BadRow(before + start + 1, f"the row is too large: {size:,} bytes when decompressed")
            start += 1
            continue
        end = _end_of_slice(sizes, start)
        yield from _to_objects(batch.slice(start, end - start), before + start)
        start = end


def _end_of_slice(sizes: _RowSizes, start: int) -> int:
    """Return where a slice ends: before a row that is too large, or when its size is reached."""
    end, size = start + 1, int(sizes.rows[start])
    while end < len(sizes.rows) and not sizes.too_large[end] and size + sizes.rows[end] <= MAX_OBJECT_BYTES:
        size += int(sizes.rows[end])
        end += 1
    return end


def _to_objects(rows: Any, before: int) -> Iterator[Cells]:
    try:
        yield from enumerate(rows.to_pylist(), start=before + 1)
    except (ValueError, OverflowError) as error:  # such as text that is not UTF-8, or a date beyond the year 9999
        if rows.num_rows == 1:
            yield BadRow(before + 1, f"a cell of the row cannot be read ({_one_line(error)})")
            return
        for index in range(rows.num_rows):
            yield from _to_objects(rows.slice(index, 1), before + index)


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
