"""How results are printed: tables with bars for people, CSV and JSON for programs."""

import json
import math
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from quorate.cli.inputs import Format

BAR = "█"
PARTS = " ▏▎▍▌▋▊▉"


def rows(columns: dict[str, list[Any]], form: Format) -> None:
    """Print all rows as CSV or JSON."""
    if form is Format.json:
        names = list(columns)
        records = [dict(zip(names, values, strict=True)) for values in zip(*columns.values(), strict=True)]
        print(
            json.dumps([{k: _plain(v) for k, v in record.items()} for record in records], ensure_ascii=False, indent=1)
        )
    else:
        import polars as pl

        sys.stdout.write(pl.DataFrame(columns, strict=False).write_csv())


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
    """Print a line of prose."""
    print(text)


def short(name: Any, most: int = 32) -> str:
    """A name as it fits into a table: cut where it is long, with nothing in it that could steer the terminal."""
    text = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in str(name)[: most + 1])
    return text if len(text) <= most else text[: most - 1] + "…"


def _console() -> Any:
    from rich.console import Console

    # Into a file or a pipe there is no width to keep to.
    return Console() if sys.stdout.isatty() or "COLUMNS" in os.environ else Console(width=160)


def bar(share: float, width: int = 12) -> str:
    """A share from 0 to 1 as a bar of fixed width.

    >>> bar(0.5, 4)
    '██  '
    """
    if share != share:
        return "·".ljust(width)
    eighths = round(max(0.0, min(1.0, share)) * width * 8)
    return (BAR * (eighths // 8) + PARTS[eighths % 8 : eighths % 8 + 1].strip()).ljust(width)


def number(value: float | None, digits: int = 3) -> str:
    """A number, or a dot where there is none."""
    return "·" if value is None or value != value else f"{value:.{digits}f}"


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
