"""Arguments that several commands share, and how they are read."""

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

from quorate.cli.progress_bar import waiting
from quorate.data.ids import Names
from quorate.data.votes import Votes
from quorate.errors import FileError, MethodError, VotesError
from quorate.io.files import reading, require_writable
from quorate.io.formats.suffixes import format_of
from quorate.io.formats.tables import scan_table
from quorate.io.gold import read_gold
from quorate.io.images import read_images
from quorate.io.items import Items, item_columns, read_items
from quorate.io.votes import read_votes


class Duplicates(StrEnum):
    """What to do where a worker votes twice on a task."""

    error = "error"
    first = "first"
    last = "last"


VotesFile = Annotated[
    Path, typer.Argument(metavar="VOTES", help="File of votes: CSV, TSV, JSONL (.gz), Parquet, Arrow or JSON export.")
]
ItemsFile = Annotated[
    Path,
    typer.Argument(
        metavar="ITEMS", help="File of items: a table with task and features, text or image; or .npz with ids and X."
    ),
]
GoldFile = Annotated[Path | None, typer.Option("--gold", help="File of known labels, with columns task and label.")]
ColumnsOption = Annotated[
    str,
    typer.Option("--columns", help="Your names of the columns: task=item,worker=who,label=answer. No workers: worker="),
]
ItemColumnsOption = Annotated[
    str,
    typer.Option("--columns", help="Your names of the columns: task=id,text=abstract,worker=who,label=answer."),
]
ImageSizeOption = Annotated[
    int | None,
    typer.Option("--image-size", min=1, help="Images are read as squares of so many pixels. 32 if not given."),
]
ClassesOption = Annotated[
    str, typer.Option("--classes", help="All classes there are, in order: no,yes. Else those that occur, sorted.")
]
DuplicatesOption = Annotated[
    Duplicates, typer.Option("--duplicates", help="When a worker votes twice on a task: refuse, or keep one vote.")
]
MethodOption = Annotated[str, typer.Option("--method", help="How to aggregate; `quorate methods` lists all.")]

COLUMNS = ("task", "worker", "label", "seconds", "time")
ITEM_COLUMNS = ("text", "text_b", "place", "image")
BESIDE = {  # kinds of items that one base alone sees: what stands beside their texts
    "texts and features": ("text_and_features", "columns of numbers"),
    "words in texts": ("char_word_rnn", "column place"),
}
IMAGE_SIZE = 32


def load_votes(
    path: Path, columns: str, classes: str, duplicates: Duplicates, known_classes: Names | None = None
) -> Votes:
    """Votes from a file, with the shared options as they were typed.

    known_classes: all there are, as another file has them; those typed go first.
    """
    with waiting(f"Reading {path.name}"):
        return read_votes(
            path,
            **parse_columns(columns),
            classes=[name.strip() for name in classes.split(",") if name.strip()] or known_classes,
            duplicates=duplicates.value,
        )


def load_gold(path: Path, votes: Votes, columns: str) -> NDArray[np.int64]:
    """Gold labels from a file, whose columns may have the names that those of the votes have."""
    return read_gold(path, votes, **gold_columns(path, columns))


def gold_columns(path: Path, columns: str) -> dict[str, str]:
    """The columns of a file of gold that have one of the names given, by role."""
    roles = parse_columns(columns)
    with reading(path):
        there = scan_table(path).collect_schema().names()
    return {role: roles[role] for role in ("task", "label") if roles.get(role) in there}


def load_items(path: Path, columns: str, image_size: int | None, usual: int = IMAGE_SIZE) -> Items:
    """Items from a file; the task's column may have the name that it has among the votes. Images are read."""
    return with_images(read_item_file(path, columns), image_size, usual)


def read_item_file(path: Path, columns: str) -> Items:
    """Items from a file; of images, where they are."""
    roles = parse_columns(columns, (*COLUMNS, *ITEM_COLUMNS))
    with waiting(f"Reading {path.name}"):
        named = {role: roles[role] for role in ITEM_COLUMNS if role in roles}
        there = item_columns(path)
        if "task" in roles and roles["task"] in there:
            named["task"] = roles["task"]
        try:
            return read_items(path, **named)
        except VotesError as error:
            if {roles.get("worker", "worker"), roles.get("label", "label")} <= set(there):
                raise VotesError(f"{error}; if these are votes: the items come first, then the votes") from None
            raise


def with_images(items: Items, image_size: int | None, usual: int = IMAGE_SIZE) -> Items:
    """The items, their images read."""
    if items.kind == "images":
        with waiting("Reading images"):
            return replace(items, x=read_images(items.x, image_size or usual))
    if image_size is not None:
        raise MethodError(f"the items are {items.kind}, no files of images: leave out --image-size")
    return items


def require_seen(items: Items, learner: Any) -> None:
    """Refuse items with more, or with less, beside their texts than the base of a learner sees."""
    while hasattr(learner, "learner"):
        learner = learner.learner
    base = type(getattr(learner, "base", learner)).__module__.rpartition(".")[2]
    for kind, (sees, beside) in BESIDE.items():
        if items.kind == kind and base != sees:
            raise MethodError(f"{base} sees no {beside} beside the text: leave out what is there, or use --base {sees}")
        if items.kind != kind and base == sees:
            raise MethodError(f"{base} needs {beside} beside a column text, and the items have none")


def size_seen(learner: Any) -> int | None:
    """The size of the images that a model was trained on, where it was trained on images."""
    shape = getattr(inmost(learner), "input_spec_", {}).get("shape")
    return None if shape is None else int(shape[-1])


def inmost(learner: Any) -> Any:
    """What predicts, inside the learners around it; of an ensemble, its first member."""
    while hasattr(learner, "learner_") or hasattr(learner, "members_"):
        learner = learner.learner_ if hasattr(learner, "learner_") else learner.members_[0]
    return learner


def vote_columns(columns: str, path: Path | None = None) -> str:
    """What --columns says of the votes; the task may have another name in the items than in this file of votes."""
    roles = parse_columns(columns, (*COLUMNS, *ITEM_COLUMNS))
    left_out = set(ITEM_COLUMNS)
    if path is not None and "task" in roles and format_of(path) != "json":
        with reading(path):
            there = scan_table(path).collect_schema().names()
            if not {"task", roles["task"]} & set(there):
                known = ", ".join(there[:12])
                raise FileError(
                    f"no column {roles['task']!r} for the task (there are: {known}): call it as in the items, or task"
                )
        left_out |= {"task"} if roles["task"] not in there else set()
    return ",".join(part for part in columns.split(",") if part.split("=")[0].strip() not in left_out)


def check_targets(
    sources: Sequence[Path | None], *, tables: Sequence[Path | None], others: Sequence[Path | None] = ()
) -> None:
    """Refuse paths that could not be written or would overwrite each other, before the work and not after it."""
    paths = [path for path in (*tables, *others) if path is not None]
    for path in paths:
        require_writable(path)
    for table in tables:
        if table is not None and format_of(table) == "ground_truth":
            raise FileError(f"{table.name}: a manifest holds the consensus only: choose another format for this table")
    everything = [path.resolve() for path in (*paths, *sources) if path is not None]
    if len(set(everything)) < len(everything):
        raise FileError("two of the files are the same: give each its own name")


def parse_columns(text: str, roles: Sequence[str] = COLUMNS) -> dict[str, Any]:
    """Column names by role; `worker=` without a name: nobody is named, all votes are anonymous.

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
