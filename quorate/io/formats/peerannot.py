"""peerannot's `answers.json`: task -> worker -> label."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from quorate.data.votes import Votes
from quorate.errors import VotesError
from quorate.io.files import write_text


def looks_like(content: Any) -> bool:
    """Return whether JSON content is peerannot's: a dictionary of dictionaries."""
    return isinstance(content, dict) and bool(content) and all(isinstance(votes, dict) for votes in content.values())


def to_table(content: dict[str, dict[str, Any]]) -> tuple[pl.DataFrame, list[str]]:
    """Return a table with one row per vote, and the names of all tasks."""
    for task, answers in content.items():
        for worker, label in answers.items():
            if isinstance(label, list | dict):
                raise VotesError(f"the answer of worker {worker!r} to task {task!r} is {label!r}: one label is allowed")
    rows = [
        (task, worker, None if label is None else str(label))
        for task, answers in content.items()
        for worker, label in answers.items()
    ]
    schema = {"task": pl.String, "worker": pl.String, "label": pl.String}
    return pl.DataFrame(rows, schema=schema, orient="row"), list(content)


def write(votes: Votes, path: Path) -> None:
    """Write votes; in peerannot's format classes are numbers, and every worker has a name."""
    if np.any(votes.worker < 0):
        raise VotesError("peerannot's answers.json cannot hold anonymous votes: name the workers, or write CSV")
    content: dict[str, dict[str, int]] = {str(task): {} for task in votes.tasks.tolist()}
    tasks, workers = list(content.values()), [str(worker) for worker in votes.workers.tolist()]
    for task, worker, label in zip(votes.task.tolist(), votes.worker.tolist(), votes.label.tolist(), strict=True):
        tasks[task][workers[worker]] = label
    write_text(json.dumps(content, ensure_ascii=False), path)
