"""Label Studio's JSON: an array of tasks, read one by one. Choices of the first annotation can serve as gold labels."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from quorate.service.imports.parse_table import Cells, ReadOptions, parse_table
from quorate.service.imports.readers.json_array import read_elements
from quorate.service.items.rows import BadRow, Limits, Rows


def read(path: Path, options: ReadOptions) -> Rows:
    """Yield the items of a Label Studio export, or of its plain import format (an array of `data` objects)."""
    return parse_table(read_cells(path, options.limits), options)


def read_cells(path: Path, limits: Limits) -> Iterator[Cells]:
    """Yield the cells of every task."""
    with path.open(encoding="utf-8-sig", errors="surrogateescape") as file:
        for number, task in enumerate(read_elements(file, limits.row), start=1):
            if isinstance(task, dict):
                yield number, _flatten(task)
            else:
                yield BadRow(number, f"a task must be an object, got a {type(task).__name__}")


def _flatten(task: dict[str, Any]) -> dict[str, Any]:
    """Return the cells of a task: its data, its id where the data has none, and the choices of its first annotation."""
    data = task.get("data")
    if not isinstance(data, dict):
        return task
    return _choices(task) | ({"id": task["id"]} if "id" in task else {}) | data


def _choices(task: dict[str, Any]) -> dict[str, Any]:
    annotations = task.get("annotations")
    objects = [part for part in annotations if isinstance(part, dict)] if isinstance(annotations, list) else []
    results = next((part.get("result") for part in objects if not part.get("was_cancelled")), None)
    labels: dict[str, Any] = {}
    for result in results if isinstance(results, list) else []:
        value = result.get("value") if isinstance(result, dict) else None
        choices = value.get("choices") if isinstance(value, dict) else None
        if isinstance(choices, list) and len(choices) == 1:
            labels[str(result.get("from_name"))] = choices[0]
    return labels
