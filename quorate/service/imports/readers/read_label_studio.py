"""Label Studio's JSON: an array of tasks, read one by one. Choices of the first annotation can be named as gold."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from quorate.service.imports.readers.json_array import elements
from quorate.service.imports.table import Cells, Reading, items_of, numbered
from quorate.service.items.rows import BadRow, Limits, Rows


def read(path: Path, reading: Reading) -> Rows:
    """The items of a Label Studio export, or of its plain import format (an array of `data` objects)."""
    return items_of(cells_of(path, reading.limits), reading)


def cells_of(path: Path, limits: Limits) -> Iterator[Cells]:
    """The cells of its tasks."""
    with path.open(encoding="utf-8-sig", errors="surrogateescape") as file:
        for number, task in numbered(elements(file, limits.row)):
            if isinstance(task, dict):
                yield number, _flat(task)
            else:
                yield BadRow(number, f"a task must be an object, got a {type(task).__name__}")


def _flat(task: dict[str, Any]) -> dict[str, Any]:
    """The cells of a task: its data, its id where the data has none, and the choices of its first annotation."""
    data = task.get("data")
    if not isinstance(data, dict):
        return task
    return _choices(task) | ({"id": task["id"]} if "id" in task else {}) | data


def _choices(task: dict[str, Any]) -> dict[str, Any]:
    annotations = task.get("annotations")
    kept = [one for one in annotations if isinstance(one, dict)] if isinstance(annotations, list) else []
    results = next((one.get("result") for one in kept if not one.get("was_cancelled")), None)
    found: dict[str, Any] = {}
    for result in results if isinstance(results, list) else []:
        value = result.get("value") if isinstance(result, dict) else None
        choices = value.get("choices") if isinstance(value, dict) else None
        if isinstance(choices, list) and len(choices) == 1:
            found[str(result.get("from_name"))] = choices[0]
    return found
