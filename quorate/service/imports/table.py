"""Rows of cells made into items: what CSV, JSON lines, Parquet and Label Studio's JSON share."""

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from quorate.errors import FileError
from quorate.service.imports.columns import SHOWN, Columns
from quorate.service.imports.number_cells import number_columns
from quorate.service.imports.readers.row_sizes import take
from quorate.service.imports.row_maker import RowMaker
from quorate.service.items.rows import BadRow, Limits, Rows
from quorate.service.media import Media

Cells: TypeAlias = tuple[int, Mapping[str, Any]] | BadRow
LOOKED_AT = 100  # rows by which columns of numbers are told
HELD = 64_000_000  # bytes: fewer rows will do where they are that large


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How a file is to be read: which columns, how large, where uploaded files are kept, and what to call its rows."""

    columns: Columns = field(default_factory=Columns)
    limits: Limits = field(default_factory=Limits)
    media: Media | None = None
    name: str = "row"


def items_of(cells: Iterator[Cells], reading: Reading, header: Sequence[str] | None = None) -> Rows:
    """The items of rows of cells. Without a header, the columns are those of the first rows."""
    first = take(cells, LOOKED_AT, HELD)
    rows = [row[1] for row in first if not isinstance(row, BadRow)]
    names = list(header) if header is not None else list(dict.fromkeys(name for row in rows for name in row))
    make = _maker(names, rows, reading).make if rows else RowMaker(Columns()).make
    for row in itertools.chain(first, cells):
        yield row if isinstance(row, BadRow) else make(*row)


def _maker(names: list[str], rows: list[Mapping[str, Any]], reading: Reading) -> RowMaker:
    columns = reading.columns.found_in(names)
    features = columns.features
    if features is None:
        features = number_columns(columns.left_over(names), rows)
    if not features and all(getattr(columns, one) is None for one in SHOWN):
        raise FileError(
            f"no column to show was found among {', '.join(names[:50]) or '(none)'}: "
            f"name one as {', '.join(SHOWN)} or features"
        )
    return RowMaker(columns, features, reading.name, reading.limits, reading.media)


def lines_of(path: Path, limit: int) -> Iterator[bytes | None]:
    """The lines of a file, without holding one that is longer than the limit: that one is None."""
    with path.open("rb") as file:
        while line := file.readline(limit + 1):
            if len(line) <= limit:
                yield line
                continue
            while line and not line.endswith(b"\n"):
                line = file.readline(limit)
            yield None


def name_of(file_name: str) -> str:
    """What to call the rows of a file that have no key: the start of its name, in plain letters."""
    return re.sub(r"[^\w-]+", "_", Path(file_name).stem)[:100] or "row"


def numbered(values: Iterable[Any]) -> Iterator[tuple[int, Any]]:
    """Count from 1."""
    return enumerate(values, start=1)
