"""Rows of cells parsed into items: the part that CSV, JSON lines, Parquet and Label Studio's JSON share."""

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from quorate.errors import FileError
from quorate.service.imports.columns import CONTENT, Columns
from quorate.service.imports.parse_cells import number_columns
from quorate.service.imports.readers.row_sizes import take_rows
from quorate.service.imports.row_parser import RowParser
from quorate.service.items.rows import BadRow, Limits, Rows
from quorate.service.media import Media

Cells: TypeAlias = tuple[int, Mapping[str, Any]] | BadRow  # the number of a row and its cells by column, or why not
SAMPLE_ROWS = 100  # by which columns of numbers are recognised
SAMPLE_BYTES = 64_000_000  # fewer rows are enough where they are this large


@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """Options of reading a file.

    Attributes:
        columns: which columns hold what.
        limits: maximum sizes.
        media: where images and audio files are stored; None = they are refused.
        name: prefix of the keys of rows that have none.
    """

    columns: Columns = field(default_factory=Columns)
    limits: Limits = field(default_factory=Limits)
    media: Media | None = None
    name: str = "row"


def parse_table(cells: Iterator[Cells], options: ReadOptions, header: Sequence[str] | None = None) -> Rows:
    """Yield the items of rows of cells. Without a header, the columns are those of the first rows."""
    sample = take_rows(cells, SAMPLE_ROWS, SAMPLE_BYTES)
    rows = [row[1] for row in sample if not isinstance(row, BadRow)]
    names = list(header) if header is not None else list(dict.fromkeys(name for row in rows for name in row))
    parser = _row_parser(names, rows, options) if rows else RowParser(Columns())
    for row in itertools.chain(sample, cells):
        yield row if isinstance(row, BadRow) else parser.parse(*row)


def _row_parser(names: list[str], rows: list[Mapping[str, Any]], options: ReadOptions) -> RowParser:
    columns = options.columns.resolve(names)
    features = columns.features
    if features is None:
        features = number_columns(columns.unused(names), rows)
    if not features and all(getattr(columns, name) is None for name in CONTENT):
        raise FileError(
            f"no column to show was found among {', '.join(names[:50]) or '(none)'}: "
            f"name one as {', '.join(CONTENT)} or features"
        )
    return RowParser(columns, features, options.name, options.limits, options.media)


def read_lines(path: Path, limit: int) -> Iterator[bytes | None]:
    """Yield the lines of a file; None in place of a line longer than the limit, which is never in memory."""
    with path.open("rb") as file:
        while line := file.readline(limit + 1):
            if len(line) <= limit:
                yield line
                continue
            while line and not line.endswith(b"\n"):
                line = file.readline(limit)
            yield None


def key_prefix(file_name: str) -> str:
    """Return the prefix of the keys of rows that have none: the start of the file name, in plain letters."""
    return re.sub(r"[^\w-]+", "_", Path(file_name).stem)[:100] or "row"
