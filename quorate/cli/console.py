"""How results are printed: tables with bars for people, CSV and JSON for programs."""

import json
import math
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from quorate.cli.options.output import Format

NARROWEST, WITH_BARS = 60, 80  # columns of a terminal that tables need at least, without and with bars
BAR, SHADE = "█", "▒"
PARTS = " ▏▎▍▌▋▊▉"


def rows(columns: dict[str, list[Any]], form: Format) -> None:
    """Print all rows as CSV or JSON."""
    if form is Format.json:
        values = zip(*([_plain(value) for value in column] for column in columns.values()), strict=True)
        text = json.dumps([dict(zip(columns, row, strict=True)) for row in values], ensure_ascii=False, indent=1) + "\n"
    else:
        import polars as pl

        text = pl.DataFrame(columns, strict=False).write_csv()
    # Line by line: an unbuffered stdout would cut one large write short without a word.
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
    """Print a table; columns named in `right` are numbers, those in `wrap` may take several lines, others are cut."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    drawn = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for name, cells in columns.items():
        whole = max((len(cell) for cell in cells), default=0) if name in right else None  # a number is never cut
        side: Literal["left", "right"] = "right" if name in right else "left"
        drawn.add_column(name, justify=side, no_wrap=name not in wrap, min_width=whole)
    for row in zip(*columns.values(), strict=True):
        drawn.add_row(*(Text(cell) for cell in row))  # Text: what users wrote is never read as markup
    _console().print(drawn)


def line(text: str) -> None:
    """Print a line of prose, at once: a program that reads it through a pipe may wait for it."""
    print(clean(text), flush=True)


def warn(text: str) -> None:
    """A line on stderr: something that the user should know, whatever is printed for programs."""
    print(f"quorate: {clean(' '.join(text.split()))}", file=sys.stderr)


def count(number: int, noun: str) -> str:
    """So many of something.

    >>> count(1, "vote"), count(1200, "vote")
    ('1 vote', '1,200 votes')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def written(*paths: Path | None) -> None:
    """Say which files were written."""
    for path in paths:
        if path is not None:
            line(f"Written: {path}")


def clean(text: str) -> str:
    """Text with nothing in it that could steer the terminal."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)


def short(name: Any, most: int = 32) -> str:
    """A name as it fits into a table: cut where it is long."""
    text = clean(str(name)[: most + 1])
    return text if len(text) <= most else text[: most - 1] + "…"


def _console() -> Any:
    from rich.console import Console

    # Into a file or a pipe there is no width to keep to; and below the narrowest, numbers would be cut.
    if not sys.stdout.isatty() and "COLUMNS" not in os.environ:
        return Console(width=160)
    return Console(width=max(Console().width, NARROWEST))


def bar(share: float, width: int = 12) -> str:
    """A share from 0 to 1 as a bar of fixed width.

    >>> bar(0.5, 4)
    '██  '
    """
    if terminal_width() < WITH_BARS:
        return ""
    if share != share:
        return "·".ljust(width)
    eighths = round(max(0.0, min(1.0, share)) * width * 8)
    return (BAR * (eighths // 8) + PARTS[eighths % 8 : eighths % 8 + 1].strip()).ljust(width)


def open_bar(low: float, high: float, width: int = 12) -> str:
    """An interval between 0 and 1 as a bar: full up to its low end, shaded to its high end.

    >>> open_bar(0.5, 0.8, 10)
    '█████▒▒▒  '
    """
    if terminal_width() < WITH_BARS:
        return ""
    if low != low or high != high:
        return "·".ljust(width)
    full = round(low * width)
    return (BAR * full + SHADE * max(1, round(high * width) - full)).ljust(width)[:width]


def terminal_width() -> int:
    """Columns that a table has."""
    return int(_console().width)


def number(value: float | None, digits: int = 3) -> str:
    """A number, or a dot where there is none."""
    return "·" if value is None or value != value else f"{round(value, digits) + 0.0:.{digits}f}"


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
