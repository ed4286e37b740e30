"""Votes, and what machines say or see of the same tasks, as `decide`, `forecast` and `replay` read them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from quorate import registry
from quorate.cli.options.targets import read_probs
from quorate.cli.options.votes import Duplicates, load_votes, read_item_file
from quorate.cli.progress_bar import waiting
from quorate.data.ids import lookup
from quorate.data.posterior import Array, Posterior
from quorate.data.votes import Votes
from quorate.decision.alignment import with_tasks

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
    seen_of = registry.module("quorate.learning.features").seen_of
    with waiting("Looking at the items"):
        found.with_votes(votes)  # a task with votes and no item is an error
        table = seen_of(found)
    wide = with_tasks(votes, found.tasks) if all_items else votes
    row = lookup(wide.tasks, found.tasks).astype(np.int64)
    return wide, np.vstack([table, np.zeros_like(table[:1])])[row]
