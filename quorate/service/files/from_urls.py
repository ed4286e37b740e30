"""A list of addresses of images or sounds, one per line; the address is the key."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from quorate.service.files.columns import Columns
from quorate.service.files.rows import BadRow, Rows
from quorate.service.files.tabular import Cells, Reading, items_of, lines_of, numbered


def read(path: Path, reading: Reading) -> Rows:
    """The items of a list of addresses."""
    named = Reading(columns=Columns(key="key", image="url", features=()), limits=reading.limits, name=reading.name)
    return items_of(_cells(path, reading), named, ["key", "url"])


def _cells(path: Path, reading: Reading) -> Iterator[Cells]:
    lines = (line for line in lines_of(path, reading.limits.row) if line is None or line.strip())
    for number, line in numbered(lines):
        if line is None or len(line) > reading.limits.url:
            yield BadRow(number, f"the address is longer than {reading.limits.url:,} characters")
            continue
        url = line.decode("utf-8", "surrogateescape").removeprefix("\ufeff").strip()
        # A key has 200 characters at most: a longer address goes by its hash.
        key = url if len(url) <= reading.limits.key else hashlib.sha256(line.strip()).hexdigest()
        yield number, {"key": key, "url": url}
