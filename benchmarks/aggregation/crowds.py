"""Large simulated sets: five votes per task, one worker per hundred tasks, no worker twice on a task."""

from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from quorate import Votes


def arrays(
    n_votes: int, n_classes: int, seed: int = 0
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return (task, worker, label), ordered by task; seven votes in ten are right."""
    rng = np.random.default_rng(seed)
    n_tasks = n_votes // 5
    n_workers = max(n_tasks // 100, 5)
    truth = rng.integers(0, n_classes, n_tasks)
    # Five different workers: a random start and a random stride through all of them.
    start, stride = rng.integers(0, n_workers, (n_tasks, 1)), rng.integers(1, max(n_workers // 5, 2), (n_tasks, 1))
    worker = (start + stride * np.arange(5)) % n_workers
    task = np.repeat(np.arange(n_tasks), 5)
    label = np.where(rng.random(len(task)) < 0.7, truth[task], rng.integers(0, n_classes, len(task)))
    return task, worker.ravel(), label


def votes(n_votes: int, n_classes: int) -> Votes:
    """Return the same as Votes."""
    task, worker, label = arrays(n_votes, n_classes)
    return Votes.from_arrays(task, worker, label, n_classes=n_classes)


def frame(n_votes: int, n_classes: int, *, shuffled: bool = False) -> pl.DataFrame:
    """Return the same as a frame with string ids."""
    task, worker, label = arrays(n_votes, n_classes)
    order = np.random.default_rng(1).permutation(len(task)) if shuffled else np.arange(len(task))
    columns = {"task": ("task_", 7, task), "worker": ("worker_", 5, worker), "label": ("class_", 2, label)}
    return pl.DataFrame(
        {
            name: pl.Series(values[order]).cast(pl.String).str.zfill(width)
            for name, (_, width, values) in columns.items()
        }
    ).with_columns([(pl.lit(prefix) + pl.col(name)).alias(name) for name, (prefix, _, _) in columns.items()])


def write(folder: Path, n_votes: int) -> dict[str, Path]:
    """Vote files with two classes: as CSV and Parquet, in the order of tasks and shuffled."""
    paths = {}
    for order in ("by task", "shuffled"):
        table = frame(n_votes, 2, shuffled=order == "shuffled")
        for kind in ("csv", "parquet"):
            paths[f"{kind}, {order}"] = path = folder / f"{order.replace(' ', '_')}.{kind}"
            table.write_csv(path) if kind == "csv" else table.write_parquet(path)
    return paths
