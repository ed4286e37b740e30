"""Arguments that several commands share, and how they are read."""

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from quorate.cli.progress import waiting
from quorate.errors import FileError
from quorate.io.files import format_of, require_folder
from quorate.io.reading import read_votes
from quorate.votes import Votes


class Duplicates(StrEnum):
    """What to do where a worker votes twice on a task."""

    error = "error"
    first = "first"
    last = "last"


class Format(StrEnum):
    """How a result is printed."""

    table = "table"
    csv = "csv"
    json = "json"


VotesFile = Annotated[
    Path, typer.Argument(metavar="VOTES", help="File of votes: CSV, TSV, JSONL (.gz), Parquet, Arrow or JSON export.")
]
GoldFile = Annotated[Path | None, typer.Option("--gold", help="File of known labels, with columns task and label.")]
ColumnsOption = Annotated[
    str, typer.Option("--columns", help="Your names of the columns, such as task=item,worker=annotator,label=answer.")
]
ClassesOption = Annotated[
    str, typer.Option("--classes", help="All classes there are, in order: no,yes. Else those that occur, sorted.")
]
DuplicatesOption = Annotated[
    Duplicates, typer.Option("--duplicates", help="When a worker votes twice on a task: refuse, or keep one vote.")
]
FormatOption = Annotated[Format, typer.Option("--format", help="A table for people, CSV or JSON for programs.")]
MethodOption = Annotated[str, typer.Option("--method", help="How to aggregate; `quorate methods` lists all.")]

COLUMNS = ("task", "worker", "label", "seconds", "time")


def examples(*lines: str) -> str:
    """Examples at the end of a command's help; a blank line keeps each on a line of its own."""
    return "\n\n".join(("Examples:", *lines))


def load_votes(path: Path, columns: str, classes: str, duplicates: Duplicates) -> Votes:
    """Votes from a file, with the shared options as they were typed."""
    with waiting(f"Reading {path.name}"):
        return read_votes(
            path,
            **parse_columns(columns),
            classes=[name.strip() for name in classes.split(",")] if classes else None,
            duplicates=duplicates.value,
        )


def check_targets(*, tables: Sequence[Path | None], others: Sequence[Path | None] = ()) -> None:
    """Refuse paths that could not be written, before the work is done rather than after it."""
    for path in (*tables, *others):
        if path is not None:
            require_folder(path)
    for path in tables:
        if path is not None:
            format_of(path)


def parse_columns(text: str) -> dict[str, str]:
    """Column names by role.

    >>> parse_columns("task=item, label=answer")
    {'task': 'item', 'label': 'answer'}
    """
    pairs = [part.split("=", 1) for part in text.split(",") if part.strip()]
    columns = {pair[0].strip(): pair[-1].strip() for pair in pairs}
    for pair in pairs:
        if len(pair) != 2 or pair[0].strip() not in COLUMNS or not pair[1].strip():
            raise FileError(f"--columns takes pairs ROLE=COLUMN with a role of {', '.join(COLUMNS)}, got {text!r}")
    return columns
