import numpy as np
import polars as pl
import pytest

from tests.cli.commands.items import TRUE, X
from tests.cli.running import Run


@pytest.fixture
def item_files(call: Run) -> None:
    """Write forty items to files, with votes of three workers on the first thirty."""
    tasks = [f"t{row:02d}" for row in range(40)]
    pl.DataFrame({"task": tasks, "a": X[:, 0], "b": X[:, 1]}).write_csv("items.csv")
    pl.DataFrame({"task": tasks, "label": TRUE.tolist()}).write_csv("gold.csv")
    pl.DataFrame({"task": tasks[20:30], "label": TRUE[20:30].tolist()}).write_csv("valid.csv")
    random = np.random.default_rng(1)
    votes = [
        {"task": tasks[row], "worker": worker, "label": TRUE[row] if random.random() < 0.85 else "no"}
        for row in range(30)
        for worker in "xyz"
    ]
    pl.DataFrame(votes).write_csv("votes.csv")
