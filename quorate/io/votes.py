"""Reading and writing votes, and writing posteriors."""

from pathlib import Path
from typing import Any, Literal

import narwhals as nw
import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from quorate.data.columns import Duplicates, require_columns, required_roles
from quorate.data.ids import Indices
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.errors import FileError
from quorate.io.files import read_json, reading
from quorate.io.formats import ground_truth, label_studio, peerannot
from quorate.io.formats.suffixes import format_of
from quorate.io.formats.tables import (
    checked_records,
    explaining,
    odd_lines,
    read_columns,
    refuse_mixed_rows,
    scan_table,
    write_table,
)


def read_votes(
    path: str | Path,
    *,
    task: str = "task",
    worker: str | None = "worker",
    label: str = "label",
    seconds: str = "seconds",
    time: str = "time",
    classes: ArrayLike | None = None,
    duplicates: Duplicates = "error",
) -> Votes:
    """Read votes from CSV or TSV (.gz), JSONL (.gz), Parquet, Arrow, peerannot's answers.json or Label Studio's JSON.

    Args:
        path: the file.
        task: the column of tasks; in a Label Studio export, a field of the task's data.
        worker: the column of workers; None: all votes are anonymous.
        label: the column of labels; in a Label Studio export, the name of the question.
        seconds: the column of the time spent on a vote; used if it exists.
        time: the column of when a vote was given; used if it exists.
        classes: names of all classes; by default those that occur, sorted.
        duplicates: which of several votes of a worker on a task to keep: "first", "last", or neither, "error".
    """
    path = Path(path)
    with reading(path):
        roles = required_roles(task, worker, label, seconds, time)
        names: dict[str, Any] = {"task": task, "worker": worker, "label": label, "seconds": seconds, "time": time}
        if format_of(path) != "json":
            # No variable refers to the table, so its memory is freed as soon as it is encoded.
            return Votes.from_frame(_read_table(path, roles), **names, classes=classes, duplicates=duplicates)
        table, tasks = _from_json(read_json(path), roles)
        if tasks is not None:
            names = {}  # the columns of an export have the default names
        return Votes.from_frame(table, **names, tasks=tasks, classes=classes, duplicates=duplicates)


def _read_table(path: Path, roles: dict[str, str]) -> pl.DataFrame:
    """Return the required columns of a table; workers and labels, which have few values, as categories."""
    table = scan_table(path)
    columns = table.collect_schema().names()
    require_columns(columns, roles)
    wanted = [name for name in columns if name in (*roles.values(), "seconds", "time")]
    if format_of(path) == "jsonl":
        text = [name for name in roles.values() if table.collect_schema()[name] == pl.String]
        refuse_mixed_rows(odd_lines(path, text), dict.fromkeys(text, "text"))
    with explaining(path):
        return read_columns(table, wanted, few_values=(roles.get("worker"), roles["label"]))


def _from_json(content: Any, roles: dict[str, str]) -> tuple[pl.DataFrame, list[str] | None]:
    """Return a table with one row per vote, and all tasks if the file is an export that lists them."""
    try:
        if label_studio.looks_like(content):
            return label_studio.to_table(content, task=roles["task"], label=roles["label"])
        if peerannot.looks_like(content):
            return peerannot.to_table(content)
    except (AttributeError, KeyError, TypeError) as error:
        raise FileError(f"this JSON is none of the supported exports: {error}") from error
    rows = checked_records(content)
    columns = list(dict.fromkeys(name for row in rows for name in row))
    require_columns(columns, roles)
    refuse_mixed_rows(enumerate(rows, start=1), dict.fromkeys(roles.values()))
    wanted = [name for name in columns if name in (*roles.values(), "seconds", "time")]
    return pl.DataFrame([{name: row.get(name) for name in wanted} for row in rows], infer_schema_length=None), None


JsonKind = Literal["records", "peerannot", "label_studio"]


def write_votes(votes: Votes, path: str | Path, *, json: JsonKind = "records") -> None:
    """Write votes in the format of the suffix.

    Args:
        votes: the votes.
        path: the file.
        json: the form of a .json file: "records", a list of votes, which keeps everything; "peerannot", its
            answers.json, which has classes by number only; "label_studio", an export that Label Studio can import.
    """
    path = Path(path)
    kind = format_of(path)
    if kind == "ground_truth":
        raise FileError(f"{path.name}: a manifest holds labels, not votes: aggregate the votes and write the result")
    if kind == "json" and json != "records":
        (label_studio if json == "label_studio" else peerannot).write(votes, path)
    else:
        write_table(votes_table(votes), path)


def write_posterior(posterior: Posterior, path: str | Path) -> None:
    """Write a posterior in the format of the suffix: a table, or a Ground Truth manifest (.manifest)."""
    path = Path(path)
    if format_of(path) == "ground_truth":
        ground_truth.write(posterior, path)
    else:
        write_table(to_polars(posterior.to_frame()), path)


def votes_table(votes: Votes) -> pl.DataFrame:
    """Return a table with one row per vote: task, worker (null if anonymous), label, and seconds and time if any."""
    columns = {
        "task": _take(votes.tasks.tolist(), votes.task),
        "worker": _take([*votes.workers.tolist(), None], votes.worker),
        "label": _take(votes.classes.tolist(), votes.label),
    }
    for name, values in (("seconds", votes.seconds), ("time", votes.time)):
        if values is not None:
            columns[name] = pl.Series(values).fill_nan(None)
    return pl.DataFrame(columns)


def to_polars(frame: object) -> pl.DataFrame:
    """Convert a frame of any kind to polars."""
    return nw.from_native(frame, eager_only=True).to_polars()  # type: ignore[call-overload]


def _take(names: list[object], index: Indices) -> pl.Series:
    """Return the names at these indices; -1 takes the last."""
    position = index.astype(np.int64)
    position[position < 0] = len(names) - 1
    return pl.Series(names).gather(position)
