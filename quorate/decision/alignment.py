"""What machines say, brought to the tasks and classes of votes by their names."""

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

Said = ArrayLike | Posterior  # one row per task of the votes, in their order; or by the names of tasks and classes
ALONE = "machine"  # name of a machine that was given none


def matched(votes: Votes, machines: Said | Mapping[str, Said] | None) -> tuple[Votes, Machines]:
    """Votes on all tasks of which a vote or a machine says anything, and what each machine says of them.

    Tasks that only a posterior knows come behind those of the votes, without votes. Of a task that one machine says
    nothing of, it is taken to say what it says on average.

    >>> import polars as pl
    >>> votes = Votes.from_frame(pl.DataFrame({"task": ["a", "a"], "worker": ["x", "y"], "label": ["no", "yes"]}))
    >>> said = Posterior.from_frame(pl.DataFrame({"task": ["b", "a"], "p_no": [0.9, 0.3], "p_yes": [0.1, 0.7]}))
    >>> votes, machines = matched(votes, said)
    >>> votes.tasks.tolist(), machines["machine"].tolist()
    (['a', 'b'], [[0.3, 0.7], [0.9, 0.1]])
    """
    if machines is None:
        return votes, {}
    by_name = machines if isinstance(machines, Mapping) else {ALONE: machines}
    wide = votes
    for said in by_name.values():
        if isinstance(said, Posterior):
            wide = with_tasks(wide, said.tasks)
    return wide, {str(name): _rows(votes, wide, said, str(name)) for name, said in by_name.items()}


def with_tasks(votes: Votes, tasks: Names) -> Votes:
    """The votes, and these tasks behind theirs, where they are not among them."""
    return replace(votes, tasks=union(votes.tasks, tasks)[0])


def _rows(votes: Votes, wide: Votes, said: Said, name: str) -> Array:
    """What a machine says of every task of the wider votes."""
    if isinstance(said, Posterior):
        place = class_places(wide, said.classes, name)
        row = lookup(wide.tasks, said.tasks).astype(np.int64)
        if (row[: votes.n_tasks] < 0).all() and votes.n_tasks:
            raise VotesError(
                f"the {name} says nothing of any task of the votes (such as {shown(votes.tasks[0])}): use the same ids"
            )
        rows = probability_rows(said.probs, f"probabilities of the {name}", tasks=said.tasks)
        probs = np.vstack([rows, rows.mean(axis=0)])[:, place]
        return probs[row]  # -1 takes the last
    probs = probability_rows(said, f"probabilities of the {name}")
    if probs.shape != (votes.n_tasks, votes.n_classes):
        raise VotesError(
            f"the {name} gives probabilities of {probs.shape[0]} tasks and {probs.shape[1]} classes, but the votes "
            f"have {votes.n_tasks} tasks and {votes.n_classes} classes: give a row per task, or a Posterior"
        )
    return np.vstack([probs, np.repeat(probs.mean(axis=0)[None], wide.n_tasks - votes.n_tasks, axis=0)])


def class_places(votes: Votes, classes: Names, name: str) -> Any:
    """Where each class of the votes is among these, which must be the same, in any order."""
    place = lookup(votes.classes, classes)
    if len(classes) != votes.n_classes or (place < 0).any():
        raise VotesError(
            f"the {name} has classes {classes.tolist()}, but the votes have {votes.classes.tolist()}: "
            "give all classes to the votes, classes=[...] (--classes)"
        )
    return place
