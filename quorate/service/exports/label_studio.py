"""Items in the import format of Label Studio: decided labels as annotations, posteriors as predictions."""

from collections.abc import Iterator
from typing import Any

import orjson

from quorate.service.exports.items import ItemRecord, QuestionResult


def to_label_studio(parts: Iterator[list[ItemRecord]]) -> Iterator[bytes]:
    """Yield a JSON array, in parts. An uploaded file is named by its path in the data folder: `media/ab/cd....png`."""
    separator = b"[\n"
    for part in parts:
        yield separator + b",\n".join(orjson.dumps(_task(item)) for item in part)
        separator = b",\n"
    yield b"\n]\n" if separator == b",\n" else b"[]\n"


def _task(item: ItemRecord) -> dict[str, Any]:
    data = {name: value for name, value in item.cells.items() if value is not None}
    content = next((name for name in ("image", "audio", "html", "text") if name in data), "text")
    labelled = [result for result in item.results if result.label is not None]
    predicted = [result for result in item.results if result.posterior is not None]
    task: dict[str, Any] = {"id": item.id, "data": data, "annotations": [], "predictions": []}
    if labelled:
        choices = [_choice(result, result.label, content) for result in labelled]
        task["annotations"] = [{"result": choices, "ground_truth": False, "was_cancelled": False}]
    for result in predicted:
        posterior = dict(zip(result.question_plan.question.class_names, result.posterior or (), strict=True))
        best = max(posterior, key=lambda name: posterior[name])
        choices = [_choice(result, best, content)]
        task["predictions"].append({"model_version": "quorate", "score": posterior[best], "result": choices})
    return task


def _choice(result: QuestionResult, label: str | None, content: str) -> dict[str, Any]:
    return {
        "from_name": result.question_plan.question.name,
        "to_name": content,
        "type": "choices",
        "value": {"choices": [label]},
    }
