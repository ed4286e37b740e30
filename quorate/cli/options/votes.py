"""Options for files of votes and of gold labels, and how commands read these files."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any, ClassVar

import numpy as np
import typer
from numpy.typing import NDArray

from quorate.api.inputs import GoldFile
from quorate.cli.progress_bar import waiting
from quorate.data.ids import Names, as_names, lookup, shown
from quorate.data.votes import Votes
from quorate.errors import FileError, QuorateError, VotesError
from quorate.io.files import reading
from quorate.io.formats.tables import scan_table
from quorate.io.gold import read_gold
from quorate.io.votes import read_votes

COLUMNS = ("task", "worker", "label", "seconds", "time")


class Duplicates(StrEnum):
    """What to do where a worker votes twice on a task."""

    error = "error"
    first = "first"
    last = "last"


class Kind(StrEnum):
    """What a file of labels holds."""

    auto = "auto"
    gold = "gold"
    votes = "votes"


VotesFile = Annotated[
    Path,
    typer.Argument(metavar="VOTES", help="File of votes: CSV, TSV, JSONL (.gz), Parquet, Arrow or a JSON export."),
]
GoldPath = Annotated[
    Path | None, typer.Option("--gold", metavar="FILE", help="File of gold labels, with columns task and label.")
]
MethodOption = Annotated[
    str, typer.Option("--method", metavar="NAME", help="Aggregation method; `quorate methods` lists all.")
]
ColumnsOption = Annotated[
    str,
    typer.Option(
        "--columns",
        metavar="ROLE=COLUMN,...",
        help="Names of the columns in your files, by role, such as task=item,label=answer. Roles: task, worker, label, "
        "seconds, time. For anonymous votes: worker=",
    ),
]


@dataclass(frozen=True, kw_only=True)
class VoteFileOptions:
    """How a file of votes is read, and files of gold labels beside it."""

    PANEL: ClassVar[str] = "Reading files"

    columns: ColumnsOption = ""
    classes: Annotated[
        str,
        typer.Option(
            metavar="CLASS,...",
            help="All classes, in order, such as no,yes. Default: the classes that occur, sorted.",
        ),
    ] = ""
    duplicates: Annotated[
        Duplicates, typer.Option(help="When a worker votes twice on a task: refuse the file, or keep one vote.")
    ] = Duplicates.error

    def vote_columns(self, path: Path | None = None) -> str:
        """Return what --columns says about the votes, of which `path` may be a file."""
        return self.columns

    def read_votes(self, path: Path, classes: Names | None = None, classes_of: Path | None = None) -> Votes:
        """Return the votes in a file.

        Args:
            path: the file of votes.
            classes: all classes, as a file of probabilities has them; those that are typed take precedence.
            classes_of: the file of probabilities.
        """
        read = partial(read_votes, path, **parse_columns(self.vote_columns(path)), duplicates=self.duplicates.value)
        typed = [name.strip() for name in self.classes.split(",") if name.strip()]
        allowed = as_names(typed) if typed else classes
        with waiting(f"Reading {path.name}"):
            try:
                return read(classes=allowed)
            except VotesError:
                if allowed is not None:
                    _require_labels(path, read().classes, allowed, None if typed else classes_of)
                raise

    def gold_file(self, path: Path | None) -> GoldFile | None:
        """Return a file of gold labels, with the names of its columns; None where there is no file."""
        return None if path is None else gold_file(path, self.vote_columns())

    def read_gold(self, path: Path, votes: Votes) -> NDArray[np.int64]:
        """Return the gold labels in a file as class indices, one per task of the votes, -1 = none."""
        return read_gold(path, votes, **gold_columns(path, self.vote_columns()))


def _require_labels(path: Path, labels: Names, classes: Names, classes_of: Path | None) -> None:
    """Refuse labels of votes that are not among the classes, which were typed or are those of a file."""
    others = labels[lookup(labels, classes) < 0]
    if not len(others):
        return
    label, choice = (
        shown(others[0]),
        ", ".join(map(str, classes[:10].tolist())) + (", ..." if len(classes) > 10 else ""),
    )
    if classes_of is None:
        raise VotesError(
            f"{path.name}: label {label} is not one of --classes {choice}: correct it, or name it in --classes"
        )
    raise VotesError(
        f"{classes_of.name}: it has no probabilities of class {label}, which is a label in {path.name} (it has "
        f"{choice}): give a column p_{others[0]}"
    )


def gold_file(path: Path, columns: str) -> GoldFile:
    """Return a file of gold labels, with the names of its columns where --columns names them."""
    return GoldFile(path=path, **gold_columns(path, columns))


def gold_columns(path: Path, columns: str) -> dict[str, str]:
    """Return the columns of a file of gold labels that --columns names, by role."""
    roles = parse_columns(columns)
    with reading(path):
        names = scan_table(path).collect_schema().names()
    return {role: roles[role] for role in ("task", "label") if roles.get(role) in names}


def holds_votes(path: Path, kind: Kind, columns: str) -> bool:
    """Return whether a file holds votes, not gold labels: it has a column of workers, or is an export, not a table."""
    if kind is not Kind.auto:
        return kind is Kind.votes
    roles = parse_columns(columns)
    with reading(path):
        try:
            names = scan_table(path).collect_schema().names()
        except QuorateError:
            return True
    return roles.get("worker", "worker") in (None, *names)


def parse_columns(text: str, roles: Sequence[str] = COLUMNS) -> dict[str, Any]:
    """Return the names of columns by role; `worker=` without a name means that all votes are anonymous.

    >>> parse_columns("task=item, label=answer")
    {'task': 'item', 'label': 'answer'}
    """
    pairs = [part.split("=", 1) for part in text.split(",") if part.strip()]
    columns: dict[str, Any] = {pair[0].strip(): pair[-1] for pair in pairs}  # a header may begin with a blank
    if len(columns) < len(pairs):
        raise FileError(f"--columns names a role twice: {text!r}")
    if columns.get("worker") == "":
        columns["worker"] = None
    for pair in pairs:
        if len(pair) != 2 or pair[0].strip() not in roles or columns[pair[0].strip()] == "":
            raise FileError(f"--columns takes pairs ROLE=COLUMN with a role of {', '.join(roles)}, got {text!r}")
    return columns
