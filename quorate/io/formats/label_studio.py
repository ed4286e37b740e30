"""Label Studio's JSON export, for questions with a single choice."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl

from quorate.data.votes import Votes
from quorate.errors import FileError, VotesError
from quorate.io.files import write_text


def looks_like(content: Any) -> bool:
    """Return whether JSON content is a Label Studio export: a list of tasks with annotations."""
    return isinstance(content, list) and any(isinstance(task, dict) and "annotations" in task for task in content)


def to_table(content: list[dict[str, Any]], *, task: str, label: str) -> tuple[pl.DataFrame, list[str]]:
    """Return a table with one row per vote, and the names of all tasks.

    Args:
        content: the export.
        task: the field of the task's data that names it; the task's number if there is no such field.
        label: the name of the question (`from_name`), needed only if tasks have several questions.
    """
    question = _question(content, label)
    rows: list[dict[str, Any]] = []
    names = []
    for number, entry in enumerate(content, start=1):
        name = _task_name(entry, task, number)
        names.append(name)
        for annotation in entry.get("annotations") or []:
            choice = None if annotation.get("was_cancelled") else _choice(annotation, question, name)
            if choice is not None:
                seconds, time = annotation.get("lead_time"), annotation.get("created_at")
                worker = _worker(annotation.get("completed_by"))
                rows.append({"task": name, "worker": worker, "label": choice, "seconds": seconds, "time": time})
    schema = {"task": pl.String, "worker": pl.String, "label": pl.String, "seconds": pl.Float64, "time": pl.String}
    table = pl.DataFrame(rows, schema=schema)
    used = [column for column in table.columns if column in ("task", "worker", "label") or table[column].count()]
    return table.select(used), list(dict.fromkeys(names))


def write(votes: Votes, path: Path) -> None:
    """Write votes as an export that Label Studio can import again."""
    rows = list(zip(votes.worker.tolist(), votes.classes[votes.label].tolist(), strict=True))
    start, order = votes.by_task
    content = []
    for task, name in enumerate(votes.tasks.tolist()):
        annotations = []
        for row in order[start[task] : start[task + 1]].tolist():
            worker, label = rows[row]
            value = {"choices": [str(label)]}
            result = {"from_name": "label", "to_name": "task", "type": "choices", "value": value}
            annotation: dict[str, Any] = {"result": [result]}
            if worker >= 0:
                annotation["completed_by"] = str(votes.workers[worker])
            if votes.seconds is not None and votes.seconds[row] == votes.seconds[row]:
                annotation["lead_time"] = round(float(votes.seconds[row]), 6)
            if votes.time is not None and votes.time[row] == votes.time[row]:
                annotation["created_at"] = _iso(float(votes.time[row]))
            annotations.append(annotation)
        content.append({"id": task + 1, "data": {"task": str(name)}, "annotations": annotations})
    write_text(json.dumps(content, ensure_ascii=False, indent=1), path)


def _iso(time: float) -> str:
    try:
        return datetime.fromtimestamp(time, UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        raise VotesError(f"time {time:g} is not in seconds since 1970: divide it, or leave the times out") from None


def _question(content: list[dict[str, Any]], wanted: str) -> str:
    """Return the question to read: the wanted one, or the only one."""
    names = {
        result.get("from_name")
        for entry in content
        for annotation in entry.get("annotations") or []
        for result in annotation.get("result") or []
        if result.get("type") == "choices"
    }
    if not names:
        raise FileError("no annotation of this Label Studio export has a choice: only single-choice questions are read")
    if wanted in names:
        return wanted
    if wanted != "label":
        raise FileError(f"the export has no question {wanted!r}: choose from {', '.join(sorted(names))}")
    if len(names) > 1:
        raise FileError(f"the export asks several questions ({', '.join(sorted(names))}): name one with label='...'")
    return str(names.pop())


def _task_name(entry: dict[str, Any], field: str, number: int) -> str:
    data = entry.get("data") or {}
    if data.get(field) is not None:
        return str(data[field])
    if field != "task":
        raise FileError(f"task {number} of the export has no field {field!r}: choose from {', '.join(data)}")
    return str(entry.get("id", number))


def _choice(annotation: dict[str, Any], question: str, task: str) -> str | None:
    for result in annotation.get("result") or []:
        if result.get("from_name") == question and result.get("type") == "choices":
            choices = result.get("value", {}).get("choices", [])
            if len(choices) > 1:
                raise VotesError(
                    f"task {task!r} has an annotation with {len(choices)} choices {choices}: one is allowed"
                )
            return str(choices[0]) if choices and choices[0] is not None else None
    return None


def _worker(completed_by: Any) -> str | None:
    if isinstance(completed_by, dict):
        completed_by = completed_by.get("email") or completed_by.get("id")
    return None if completed_by is None else str(completed_by)
