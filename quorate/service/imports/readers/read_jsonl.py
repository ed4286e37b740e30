"""JSON lines: one object per line. A manifest of SageMaker Ground Truth is one too (`source`, `source-ref`)."""

from collections.abc import Iterator
from pathlib import Path

import orjson

from quorate.service.imports.table import Cells, Reading, items_of, lines_of, numbered
from quorate.service.items.rows import BadRow, Limits, Rows


def read(path: Path, reading: Reading) -> Rows:
    """The items of a file of JSON lines."""
    return items_of(cells_of(path, reading.limits), reading)


def cells_of(path: Path, limits: Limits) -> Iterator[Cells]:
    """The objects of its lines."""
    limit = limits.row
    for number, line in numbered(line for line in lines_of(path, limit) if line is None or line.strip()):
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
