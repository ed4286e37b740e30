"""Tables as HTML, for notebooks: the first rows of a value, escaped, in the colours of the page around them."""

from collections.abc import Mapping
from html import escape
from typing import Any

from numpy.typing import NDArray

MAX_ROWS = 10
MAX_CLASSES = 8  # columns of class probabilities
MAX_TEXT = 60  # characters of a cell
_LINE = "border-bottom:1px solid rgba(128,128,128,.45)"  # grey shows on light and on dark pages
_CELL = "padding:.2em .8em;background:none;color:inherit;white-space:nowrap"


def html_table(title: str, summary: str, columns: Mapping[str, NDArray[Any]], more: str = "") -> str:
    """Return a titled table of these columns as HTML.

    Numbers are rounded, long texts are shortened, and everything is escaped.

    Args:
        title: the first words, in bold.
        summary: what follows them, such as the number of rows.
        columns: the rows to show, by the names of their columns.
        more: a note on what is not shown.

    >>> import numpy as np
    >>> "<script>" in html_table("Votes", "1 vote", {"label": np.array(["<script>"])})
    False
    """
    aligned = {name: "right" if column.dtype.kind in "iuf" else "left" for name, column in columns.items()}
    head = "".join(_cell("th", name, aligned[name], _LINE) for name in columns)
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    body = "".join(f"<tr>{_row(row, list(aligned.values()))}</tr>" for row in rows)
    note = f'<div style="margin-top:.3em;opacity:.7">{escape(more)}</div>' if more else ""
    return (
        f'<div style="overflow-x:auto"><div style="margin-bottom:.4em"><b>{escape(title)}</b> {escape(summary)}</div>'
        '<table style="border-collapse:collapse;border:none;font-size:inherit;font-variant-numeric:tabular-nums">'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{note}</div>"
    )


def note_hidden(**counts: int) -> str:
    """Return a note on how many things of each kind are not shown, empty if there are none.

    >>> note_hidden(tasks=1230, classes=0)
    '... 1,230 more tasks'
    """
    hidden = [f"{count:,} more {name}" for name, count in counts.items() if count > 0]
    return f"... {', '.join(hidden)}" if hidden else ""


def _row(values: tuple[Any, ...], alignments: list[str]) -> str:
    return "".join(_cell("td", _as_text(value), align) for value, align in zip(values, alignments, strict=True))


def _cell(tag: str, text: str, align: str, style: str = "") -> str:
    return f'<{tag} style="{_CELL};text-align:{align};{style}">{escape(_shorten(text))}</{tag}>'


def _as_text(value: Any) -> str:
    if value is None or value != value:
        return "-"
    if isinstance(value, float):
        return f"{value:.3f}" if abs(value) < 1000 else f"{value:,.0f}"
    return str(value)


def _shorten(text: str) -> str:
    return text if len(text) <= MAX_TEXT else f"{text[: MAX_TEXT - 1]}…"
