"""How results are printed: tables with bars for people, CSV and JSON for programs."""

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

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


def table(title: str, columns: Mapping[str, Sequence[str]], *, right: Sequence[str] = ()) -> None:
    """Print a table; columns named in `right` are numbers and stand to the right."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    drawn = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for name in columns:
        drawn.add_column(name, justify="right" if name in right else "left", overflow="fold")
    for row in zip(*columns.values(), strict=True):
        drawn.add_row(*(Text(cell) for cell in row))  # Text: what users wrote is never read as markup
    Console().print(drawn)


def line(text: str) -> None:
    """Print a line of prose."""
    from rich.console import Console
    from rich.text import Text

    Console().print(Text(text))


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
    return None if isinstance(value, float) and value != value else value
