"""Gold labels from a file."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from quorate.errors import VotesError
from quorate.io.files import reading
from quorate.io.tables import read_table
from quorate.names import shown
from quorate.votes import Votes


def read_gold(path: str | Path, votes: Votes, *, task: str = "task", label: str = "label") -> NDArray[np.int64]:
    """Gold labels of any table with a task and a label column: one class index per task of the votes, -1 = none."""
    path = Path(path)
    with reading(path):
        gold = votes.gold(read_table(path), task=task, label=label)
        if not np.any(gold >= 0):
            example = shown(votes.tasks[0])
            raise VotesError(f"it has no label for any task of the votes (such as {example}): use the same ids")
        return gold
