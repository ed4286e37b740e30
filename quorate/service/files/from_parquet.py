"""Parquet, a batch of rows at a time (with pyarrow). Images may be addresses or the bytes themselves."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from quorate.errors import FileError, MissingExtraError
from quorate.service.files.rows import Rows
from quorate.service.files.tabular import Cells, Reading, items_of

BATCH = 1000  # rows


def read(path: Path, reading: Reading) -> Rows:
    """The items of a Parquet file."""
    header, cells = cells_of(path)
    return items_of(cells, reading, header)


def cells_of(path: Path) -> tuple[list[str], Iterator[Cells]]:
    """The names of its columns, and the cells of its rows."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError('Parquet needs pyarrow: pip install "quorate[arrow]", or give CSV') from None
    try:
        file = pyarrow.parquet.ParquetFile(path)
    except (pyarrow.ArrowException, OSError) as error:
        raise FileError(f"not a Parquet file ({_line(error)})") from None
    return list(file.schema_arrow.names), _cells(file, pyarrow.ArrowException)


def _cells(file: Any, broken: type[Exception]) -> Iterator[Cells]:
    number = 0
    with file:
        try:
            for batch in file.iter_batches(batch_size=BATCH):
                for cells in batch.to_pylist():
                    number += 1
                    yield number, cells
        except (broken, OSError) as error:
            raise FileError(f"the Parquet file cannot be read after row {number:,} ({_line(error)})") from None


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
