"""Gold labels from a file."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from quorate.data.frames import as_frame, read_gold_labels
from quorate.data.ids import Names, shown
from quorate.data.votes import Votes
from quorate.errors import VotesError
from quorate.io.files import reading
from quorate.io.formats.tables import read_table


def read_gold(path: str | Path, votes: Votes, *, task: str = "task", label: str = "label") -> NDArray[np.int64]:
    """Read gold labels from a table; return one class index per task of the votes, -1 = none.

    Args:
        path: a table of any format.
        votes: the votes.
        task: the column of tasks.
        label: the column of labels.
    """
    return read_labels(path, votes.tasks, votes.classes, task=task, label=label)


def read_labels(
    path: str | Path, tasks: Names, classes: Names, *, task: str = "task", label: str = "label"
) -> NDArray[np.int64]:
    """Read gold labels from a table; return one class index for each of these tasks, -1 = none.

    Args:
        path: a table of any format.
        tasks: names of the tasks.
        classes: names of the classes.
        task: the column of tasks.
        label: the column of labels.
    """
    path = Path(path)
    with reading(path):
        frame = as_frame(read_table(path))
        gold = read_gold_labels(frame, task=task, label=label, tasks=tasks, classes=classes)
        if not np.any(gold >= 0):
            example = shown(tasks[0])
            raise VotesError(f"it has no label for any of the tasks (such as {example}): use the same ids")
        return gold
