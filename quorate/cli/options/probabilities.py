"""Options for tables of class probabilities, and how commands read them beside the votes."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from quorate import registry
from quorate.api import inputs
from quorate.cli.options.items import read_item_file
from quorate.cli.options.votes import VoteFileOptions, parse_columns
from quorate.cli.progress_bar import waiting
from quorate.data.ids import lookup
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.decision.alignment import with_tasks
from quorate.inference.progress import watch_rounds
from quorate.typing import Array

MachineFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--machines",
        metavar="FILE",
        help="Class probabilities of a classifier that was not trained on these tasks: a table with task and p_CLASS "
        "of every class. Repeatable, one for each classifier.",
    ),
]


def read_probs(path: Path, columns: str) -> Posterior:
    """Return the class probabilities in a file: a row per task, a column per class."""
    with waiting(f"Reading {path.name}"):
        return inputs.read_probs(path, task=parse_columns(columns).get("task", "task"))


def read_machines(paths: Sequence[Path] | None, columns: str) -> dict[str, Posterior]:
    """Return the class probabilities of each classifier, by the name of its file."""
    with waiting("Reading probabilities"):
        return inputs.read_machines(paths or [], task=parse_columns(columns).get("task", "task"))


def read_pool(
    path: Path, machines: Sequence[Path] | None, files: VoteFileOptions
) -> tuple[Votes, dict[str, Posterior]]:
    """Return votes and the class probabilities of each classifier, which tell the classes of the votes."""
    pred_probs = read_machines(machines, files.vote_columns(path))
    classes = next((posterior.classes for posterior in pred_probs.values()), None)
    return files.read_votes(path, classes, next(iter(machines or []), None)), pred_probs


def read_features(
    path: Path, votes: Votes, columns: str, encoder: str, *, all_items: bool = True
) -> tuple[Votes, Array, str]:
    """Return the votes on all items of a file, the features of every task, and what is read of the items.

    Features are zeros, the mean of the items, where a task has no item.

    Args:
        path: the file of items.
        votes: the votes.
        columns: the value of --columns.
        encoder: the value of --encoder.
        all_items: whether items without votes count as tasks.
    """
    items = read_item_file(path, columns)
    fit_features = registry.module("quorate.learning.features").fit_features
    title = "Computing features" if items.kind == "features" else f"Encoding {items.kind}"
    with waiting(title) as bar, watch_rounds(bar.update):
        items.with_votes(votes)  # a task with votes and no item is an error
        fitted, features = fit_features(items, encoder)
    pool = with_tasks(votes, items.tasks) if all_items else votes
    row = lookup(pool.tasks, items.tasks).astype(np.int64)
    return pool, np.vstack([features, np.zeros_like(features[:1])])[row], fitted.description
