"""Alignment of classifiers with votes: their probabilities, in the order of the votes' tasks and classes."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from quorate.data.checks import probability_rows
from quorate.data.columns import union
from quorate.data.ids import Names, lookup, shown
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.decision.base import Machines
from quorate.errors import VotesError
from quorate.typing import Array

# An array has one row per task of the votes, in their order; a posterior is aligned by the names of tasks and classes.
Predictions = ArrayLike | Posterior
DEFAULT_NAME = "machine"  # of a single classifier without a name


def align_machines(votes: Votes, machines: Predictions | Mapping[str, Predictions] | None) -> tuple[Votes, Machines]:
    """Return votes on all tasks that have a vote or a prediction, and the probabilities of each classifier on them.

    Tasks that occur only in a posterior are appended to those of the votes and have no votes. A classifier without a
    prediction for a task gets its mean prediction there.

    >>> import polars as pl
    >>> votes = Votes.from_frame(pl.DataFrame({"task": ["a", "a"], "worker": ["x", "y"], "label": ["no", "yes"]}))
    >>> probs = Posterior.from_frame(pl.DataFrame({"task": ["b", "a"], "p_no": [0.9, 0.3], "p_yes": [0.1, 0.7]}))
    >>> votes, machines = align_machines(votes, probs)
    >>> votes.tasks.tolist(), machines["machine"].tolist()
    (['a', 'b'], [[0.3, 0.7], [0.9, 0.1]])
    """
    if machines is None:
        return votes, {}
    by_name = machines if isinstance(machines, Mapping) else {DEFAULT_NAME: machines}
    wide = votes
    for predictions in by_name.values():
        if isinstance(predictions, Posterior):
            wide = with_tasks(wide, predictions.tasks)
    return wide, {str(name): _rows(votes, wide, probs, str(name)) for name, probs in by_name.items()}


def with_tasks(votes: Votes, tasks: Names) -> Votes:
    """Return the votes with those of these tasks appended that they do not have yet."""
    return replace(votes, tasks=union(votes.tasks, tasks)[0])


def _rows(votes: Votes, wide: Votes, predictions: Predictions, name: str) -> Array:
    """Return the probabilities of a classifier for every task of the extended votes."""
    if isinstance(predictions, Posterior):
        columns = class_columns(wide, predictions.classes, name)
        row = lookup(wide.tasks, predictions.tasks).astype(np.int64)
        if (row[: votes.n_tasks] < 0).all() and votes.n_tasks:
            raise VotesError(
                f"the {name} has no probabilities for any task of the votes (such as {shown(votes.tasks[0])}): "
                "use the same ids"
            )
        rows = probability_rows(predictions.probs, f"probabilities of the {name}", tasks=predictions.tasks)
        probs = np.vstack([rows, rows.mean(axis=0)])[:, columns]
        return probs[row]  # -1 takes the last
    probs = probability_rows(predictions, f"probabilities of the {name}")
    if probs.shape != (votes.n_tasks, votes.n_classes):
        raise VotesError(
            f"the {name} gives probabilities of {probs.shape[0]} tasks and {probs.shape[1]} classes, but the votes "
            f"have {votes.n_tasks} tasks and {votes.n_classes} classes: give a row per task, or a Posterior"
        )
    return np.vstack([probs, np.repeat(probs.mean(axis=0)[None], wide.n_tasks - votes.n_tasks, axis=0)])


def class_columns(votes: Votes, classes: Names, name: str) -> Any:
    """Return the index of each class of the votes in `classes`, which must be the same classes in any order."""
    columns = lookup(votes.classes, classes)
    if len(classes) != votes.n_classes or (columns < 0).any():
        raise VotesError(
            f"the {name} has classes {classes.tolist()}, but the votes have {votes.classes.tolist()}: "
            "give all classes to the votes, classes=[...] (--classes)"
        )
    return columns
