"""A list of addresses of images or sounds, one per line; the address is the key."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from quorate.service.imports.columns import Columns
from quorate.service.imports.table import Cells, Reading, items_of, lines_of, numbered
from quorate.service.items.rows import BadRow, Limits, Rows


def read(path: Path, reading: Reading) -> Rows:
    """The items of a list of addresses."""
    named = Reading(columns=Columns(key="key", image="url", features=()), limits=reading.limits, name=reading.name)
    return items_of(cells_of(path, reading.limits), named, ["key", "url"])


def cells_of(path: Path, limits: Limits) -> Iterator[Cells]:
    """The addresses, and their keys."""
    lines = (line for line in lines_of(path, limits.row) if line is None or line.strip())
    for number, line in numbered(lines):
        if line is None or len(line) > limits.url:
            yield BadRow(number, f"the address is longer than {limits.url:,} characters")
            continue
        url = line.decode("utf-8", "surrogateescape").removeprefix("\ufeff").strip()
        # A key has 200 characters at most: a longer address goes by its hash.
        key = url if len(url) <= limits.key else hashlib.sha256(line.strip()).hexdigest()
        yield number, {"key": key, "url": url}
