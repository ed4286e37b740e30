"""Tables of probabilities and what is known of their tasks, as `calibrate` reads them."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.cli.options.votes import gold_columns, parse_columns
from quorate.cli.progress_bar import waiting
from quorate.data.ids import lookup, shown
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.errors import QuorateError, VotesError
from quorate.io.files import reading
from quorate.io.formats.tables import read_table, scan_table
from quorate.io.gold import read_labels
from quorate.io.votes import read_votes


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
