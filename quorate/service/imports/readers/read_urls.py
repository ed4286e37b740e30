"""A list of addresses of images or audio files, one per line; the address is the key."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from quorate.service.imports.columns import Columns
from quorate.service.imports.parse_table import Cells, ReadOptions, parse_table, read_lines
from quorate.service.items.rows import BadRow, Limits, Rows


def read(path: Path, options: ReadOptions) -> Rows:
    """Yield the items of a list of addresses."""
    url_options = ReadOptions(
        columns=Columns(key="key", image="url", features=()), limits=options.limits, name=options.name
    )
    return parse_table(read_cells(path, options.limits), url_options, ["key", "url"])


def read_cells(path: Path, limits: Limits) -> Iterator[Cells]:
    """Yield the addresses and their keys."""
    lines = (line for line in read_lines(path, limits.row) if line is None or line.strip())
    for number, line in enumerate(lines, start=1):
        if line is None or len(line) > limits.url:
            yield BadRow(number, f"the address is longer than {limits.url:,} characters")
            continue
        url = line.decode("utf-8", "surrogateescape").removeprefix("\ufeff").strip()
        # A key has at most 200 characters: a longer address is replaced by its hash.
        key = url if len(url) <= limits.key else hashlib.sha256(line.strip()).hexdigest()
        yield number, {"key": key, "url": url}
