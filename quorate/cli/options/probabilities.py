"""Options that name tables of class probabilities, and how commands read them beside the votes."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

from quorate import registry
from quorate.cli.options.votes import Duplicates, gold_columns, load_votes, parse_columns, read_item_file
from quorate.cli.progress_bar import waiting
from quorate.data.ids import lookup, shown
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.decision.alignment import with_tasks
from quorate.errors import QuorateError, VotesError
from quorate.io.files import reading
from quorate.io.formats.tables import read_table, scan_table
from quorate.io.gold import read_labels
from quorate.io.votes import read_votes
from quorate.typing import Array

ProbsFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--probs",
        help="Table of what a classifier says that was not taught the tasks: task and p_... of every class. "
        "Repeatable, one for each classifier.",
    ),
]


def load_machines(paths: Sequence[Path] | None, columns: str) -> dict[str, Posterior]:
    """What each machine says, by the name of its file."""
    files = list(paths or [])
    stems = [path.stem for path in files]
    alone = len(set(stems)) == len(stems)
    return {stem if alone else str(path): read_probs(path, columns) for stem, path in zip(stems, files, strict=True)}


def load_votes_and_classes(
    path: Path, machines: dict[str, Posterior], columns: str, classes: str, duplicates: Duplicates
) -> Votes:
    """Votes, whose classes are those of the machines where there are any."""
    known = next((said.classes for said in machines.values()), None)
    return load_votes(path, columns, classes, duplicates, known)


def load_seen(path: Path, votes: Votes, columns: str, *, all_items: bool = True) -> tuple[Votes, Array]:
    """Votes on all items of a file, and what a classifier sees of each task; zeros of one that has no vote and no item.

    all_items: whether items without votes count as tasks.
    """
    found = read_item_file(path, columns)
    feature_table = registry.module("quorate.learning.features").feature_table
    with waiting("Looking at the items"):
        found.with_votes(votes)  # a task with votes and no item is an error
        table = feature_table(found)
    wide = with_tasks(votes, found.tasks) if all_items else votes
    row = lookup(wide.tasks, found.tasks).astype(np.int64)
    return wide, np.vstack([table, np.zeros_like(table[:1])])[row]


class Kind(StrEnum):
    """What a file of targets holds."""

    auto = "auto"
    gold = "gold"
    votes = "votes"


@dataclass(frozen=True, eq=False)
class TasksVotes:
    """Votes on some tasks of a table, and maybe on others: the rows of these tasks, their places among the votes."""

    votes: Votes
    rows: NDArray[np.int64]
    place: NDArray[np.int64]


def read_probs(path: Path, columns: str) -> Posterior:
    """A table of probabilities: a row per task, a column per class."""
    with waiting(f"Reading {path.name}"), reading(path):
        table = read_table(path)
        return Posterior.from_frame(table, **_there(columns, table.columns, "task"))


def with_classes_of(said: Posterior, other: Posterior, path: Path) -> Posterior:
    """Another table, its classes checked to be the same; their columns may come in another order."""
    place = lookup(said.classes, other.classes)
    if len(other.classes) != len(said.classes) or (place < 0).any():
        raise VotesError(f"{path.name}: it has classes {other.classes.tolist()}, but PROBS has {said.classes.tolist()}")
    return Posterior(
        probs=other.probs[:, place],
        tasks=other.tasks,
        workers=other.workers,
        classes=said.classes,
        class_prior=other.class_prior[place],
        objective=other.objective,
    )


def holds_votes(path: Path, kind: Kind, columns: str) -> bool:
    """Whether a file holds votes and not gold: it has a column of workers, or is an export that is no table."""
    if kind is not Kind.auto:
        return kind is Kind.votes
    roles = parse_columns(columns)
    with reading(path):
        try:
            there = scan_table(path).collect_schema().names()
        except QuorateError:
            return True
    return roles.get("worker", "worker") in (None, *there)


def gold_of(path: Path, said: Posterior, columns: str) -> NDArray[np.int64]:
    """Known labels of the tasks of a table, -1 = none."""
    return read_labels(path, said.tasks, said.classes, **gold_columns(path, columns))


def votes_of(path: Path, said: Posterior, columns: str) -> TasksVotes:
    """Votes on the tasks of a table; a file may have votes on others, too, which tell of workers."""
    with waiting(f"Reading {path.name}"):
        votes = read_votes(path, **parse_columns(columns), classes=said.classes)
    place = lookup(said.tasks, votes.tasks).astype(np.int64)
    rows = np.flatnonzero(place >= 0)
    if not len(rows):
        raise VotesError(f"{path.name}: it has no vote on any task of PROBS (such as {shown(said.tasks[0])})")
    return TasksVotes(votes, rows, place[rows])


def _there(columns: str, names: list[str], *wanted: str) -> dict[str, Any]:
    """What --columns says of these roles, where the table has such a column."""
    roles = parse_columns(columns)
    return {role: roles[role] for role in wanted if roles.get(role) in names}
