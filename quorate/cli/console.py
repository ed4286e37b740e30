"""Printing of results: tables with bars for people, CSV and JSON for programs."""

import json
import math
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from quorate.cli.options.output import Format

MIN_WIDTH, MIN_WIDTH_FOR_BARS = 60, 80  # columns of a terminal
BAR, SHADE = "█", "▒"
EIGHTHS = " ▏▎▍▌▋▊▉"


def rows(columns: dict[str, list[Any]], form: Format) -> None:
    """Print all rows as CSV or JSON."""
    if form is Format.json:
        values = zip(*([_plain(value) for value in column] for column in columns.values()), strict=True)
        text = json.dumps([dict(zip(columns, row, strict=True)) for row in values], ensure_ascii=False, indent=1) + "\n"
    else:
        import polars as pl

        text = pl.DataFrame(columns, strict=False).write_csv()
    # Line by line: an unbuffered stdout can cut one large write short without an error.
    sys.stdout.writelines(text.splitlines(keepends=True))


def record(values: dict[str, Any], form: Format) -> None:
    """Print one record as CSV (name, value) or JSON."""
    if form is Format.json:
        print(json.dumps({name: _plain(value) for name, value in values.items()}, ensure_ascii=False, indent=1))
    else:
        rows({"name": list(values), "value": list(values.values())}, form)


def table(
    title: str, columns: Mapping[str, Sequence[str]], *, right: Sequence[str] = (), wrap: Sequence[str] = ()
) -> None:
    """Print a table.

    Args:
        title: the line above it.
        columns: the cells of each column, by its title.
        right: columns of numbers, which are never cut.
        wrap: columns whose cells may take several lines; others are cut where the terminal is narrow.
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    drawn = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for name, cells in columns.items():
        min_width = max((len(cell) for cell in cells), default=0) if name in right else None
        side: Literal["left", "right"] = "right" if name in right else "left"
        drawn.add_column(name, justify=side, no_wrap=name not in wrap, min_width=min_width)
    for row in zip(*columns.values(), strict=True):
        drawn.add_row(*(Text(cell) for cell in row))  # Text: nothing that users wrote is read as markup
    _console().print(drawn)


def line(text: str) -> None:
    """Print a line of prose and flush it: a program that reads it through a pipe may wait for it."""
    print(clean(text), flush=True)


def warn(text: str) -> None:
    """Print a line on stderr, for people, beside what is printed for programs."""
    print(f"quorate: {clean(' '.join(text.split()))}", file=sys.stderr)


def count(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> count(1, "vote"), count(1200, "vote")
    ('1 vote', '1,200 votes')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def written(*paths: Path | None) -> None:
    """Print which files were written."""
    for path in paths:
        if path is not None:
            line(f"Written: {path}")


def clean(text: str) -> str:
    """Return text without characters that could control the terminal."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


def short(name: Any, most: int = 32) -> str:
    """Return a name for a table, cut where it is longer than `most` characters."""
    text = clean(str(name)[: most + 1])
    return text if len(text) <= most else text[: most - 1] + "…"


def _console() -> Any:
    from rich.console import Console

    # A file or a pipe has no width; and in a terminal below the minimum, numbers would be cut.
    if not sys.stdout.isatty() and "COLUMNS" not in os.environ:
        return Console(width=160)
    return Console(width=max(Console().width, MIN_WIDTH))


def bar(share: float, width: int = 12) -> str:
    """Return a share from 0 to 1 as a bar of fixed width.

    >>> bar(0.5, 4)
    '██  '
    """
    if terminal_width() < MIN_WIDTH_FOR_BARS:
        return ""
    if share != share:
        return "·".ljust(width)
    eighths = round(max(0.0, min(1.0, share)) * width * 8)
    return (BAR * (eighths // 8) + EIGHTHS[eighths % 8 : eighths % 8 + 1].strip()).ljust(width)


def open_bar(low: float, high: float, width: int = 12) -> str:
    """Return an interval between 0 and 1 as a bar: full up to its low end, shaded to its high end.

    >>> open_bar(0.5, 0.8, 10)
    '█████▒▒▒  '
    """
    if terminal_width() < MIN_WIDTH_FOR_BARS:
        return ""
    if low != low or high != high:
        return "·".ljust(width)
    full = round(low * width)
    return (BAR * full + SHADE * max(1, round(high * width) - full)).ljust(width)[:width]


def terminal_width() -> int:
    """Return the width of the terminal, in columns."""
    return int(_console().width)


def number(value: float | None, digits: int = 3) -> str:
    """Return a number as text, or a dot where there is none."""
    return "·" if value is None or value != value else f"{round(value, digits) + 0.0:.{digits}f}"


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
