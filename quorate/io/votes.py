"""Votes from a file."""

from pathlib import Path
from typing import Any

import polars as pl
from numpy.typing import ArrayLike

from quorate.data.columns import Duplicates, require_columns, required_roles
from quorate.data.votes import Votes
from quorate.errors import FileError
from quorate.io.files import format_of, read_json, reading
from quorate.io.formats import label_studio, peerannot
from quorate.io.formats.tables import (
    checked_records,
    explaining,
    odd_lines,
    read_columns,
    refuse_mixed_rows,
    scan_table,
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
    """Votes from a file: CSV or TSV (.gz), JSONL (.gz), Parquet, Arrow, peerannot's answers.json, Label Studio's JSON.

    The arguments name the columns; in a Label Studio export, `label` names the question and `task` a field of its data.
    """
    path = Path(path)
    with reading(path):
        roles = required_roles(task, worker, label, seconds, time)
        names: dict[str, Any] = {"task": task, "worker": worker, "label": label, "seconds": seconds, "time": time}
        if format_of(path) != "json":
            # The table has no name here: so its memory is free as soon as it is coded.
            return Votes.from_frame(_read_table(path, roles), **names, classes=classes, duplicates=duplicates)
        table, tasks = _from_json(read_json(path), roles)
        if tasks is not None:
            names = {}  # an export has names of its own
        return Votes.from_frame(table, **names, tasks=tasks, classes=classes, duplicates=duplicates)


def _read_table(path: Path, roles: dict[str, str]) -> pl.DataFrame:
    """The columns of a table that are needed; workers and labels, of which there are few, come as categories."""
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
    """(one row per vote, all tasks where the file has a form of its own that lists them)."""
    try:
        if label_studio.looks_like(content):
            return label_studio.to_table(content, task=roles["task"], label=roles["label"])
        if peerannot.looks_like(content):
            return peerannot.to_table(content)
    except (AttributeError, KeyError, TypeError) as error:
        raise FileError(f"this JSON has a form that no export known here has: {error}") from error
    rows = checked_records(content)
    columns = list(dict.fromkeys(name for row in rows for name in row))
    require_columns(columns, roles)
    refuse_mixed_rows(enumerate(rows, start=1), dict.fromkeys(roles.values()))
    wanted = [name for name in columns if name in (*roles.values(), "seconds", "time")]
    return pl.DataFrame([{name: row.get(name) for name in wanted} for row in rows], infer_schema_length=None), None
