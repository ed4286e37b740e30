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
    """Gold labels of any table with a task and a label column: one class index per task of the votes, -1 = none."""
    return read_labels(path, votes.tasks, votes.classes, task=task, label=label)


def read_labels(
    path: str | Path, tasks: Names, classes: Names, *, task: str = "task", label: str = "label"
) -> NDArray[np.int64]:
    """Gold labels of these tasks, by their place among the classes, -1 = none."""
    path = Path(path)
    with reading(path):
        frame = as_frame(read_table(path))
        gold = read_gold_labels(frame, task=task, label=label, tasks=tasks, classes=classes)
        if not np.any(gold >= 0):
            example = shown(tasks[0])
            raise VotesError(f"it has no label for any of the tasks (such as {example}): use the same ids")
        return gold
