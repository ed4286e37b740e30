"""JSON lines: one object per line. A manifest of SageMaker Ground Truth is one too (`source`, `source-ref`)."""

from collections.abc import Iterator
from pathlib import Path

import orjson

from quorate.service.files.rows import BadRow, Rows
from quorate.service.files.tabular import Cells, Reading, items_of, lines_of, numbered


def read(path: Path, reading: Reading) -> Rows:
    """The items of a file of JSON lines."""
    return items_of(_cells(path, reading.limits.row), reading)


def _cells(path: Path, limit: int) -> Iterator[Cells]:
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
