"""JSON lines: one object per line. A manifest of SageMaker Ground Truth is such a file (`source`, `source-ref`)."""

from collections.abc import Iterator
from pathlib import Path

import orjson

from quorate.service.imports.parse_table import Cells, ReadOptions, parse_table, read_lines
from quorate.service.items.rows import BadRow, Limits, Rows


def read(path: Path, options: ReadOptions) -> Rows:
    """Yield the items of a file of JSON lines."""
    return parse_table(read_cells(path, options.limits), options)


def read_cells(path: Path, limits: Limits) -> Iterator[Cells]:
    """Yield the object of every line."""
    limit = limits.row
    lines = (line for line in read_lines(path, limit) if line is None or line.strip())
    for number, line in enumerate(lines, start=1):
        if line is None:
            yield BadRow(number, f"the line is longer than {limit:,} bytes")
            continue
        try:
            value = orjson.loads(line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line)
        except orjson.JSONDecodeError as error:
            yield BadRow(number, f"the line is not JSON in UTF-8 ({error})")
            continue
        if isinstance(value, dict):
            yield number, value
        else:
            yield BadRow(number, f'the line must be an object such as {{"text": ...}}, got a {type(value).__name__}')
