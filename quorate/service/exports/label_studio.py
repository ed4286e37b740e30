"""Items as Label Studio imports them: decided labels as annotations, what is believed as predictions."""

from collections.abc import Iterator
from typing import Any

import orjson

from quorate.service.exports.items import Answer, ItemRecord


def to_label_studio(parts: Iterator[list[ItemRecord]]) -> Iterator[bytes]:
    """A JSON array, a part at a time. An uploaded file goes by its path in the data folder: `media/ab/cd....png`."""
    before = b"[\n"
    for part in parts:
        yield before + b",\n".join(orjson.dumps(_task(one)) for one in part)
        before = b",\n"
    yield b"\n]\n" if before == b",\n" else b"[]\n"


def _task(one: ItemRecord) -> dict[str, Any]:
    data = {name: value for name, value in one.cells.items() if value is not None}
    shown = next((name for name in ("image", "audio", "html", "text") if name in data), "text")
    labelled = [answer for answer in one.answers if answer.label is not None]
    believed = [answer for answer in one.answers if answer.posterior is not None]
    task: dict[str, Any] = {"id": one.id, "data": data, "annotations": [], "predictions": []}
    if labelled:
        results = [_choice(answer, answer.label, shown) for answer in labelled]
        task["annotations"] = [{"result": results, "ground_truth": False, "was_cancelled": False}]
    for answer in believed:
        posterior = dict(zip(answer.asked.question.class_names, answer.posterior or (), strict=True))
        best = max(posterior, key=lambda name: posterior[name])
        prediction = {"model_version": "quorate", "score": posterior[best], "result": [_choice(answer, best, shown)]}
        task["predictions"].append(prediction)
    return task


def _choice(answer: Answer, label: str | None, shown: str) -> dict[str, Any]:
    return {
        "from_name": answer.asked.question.name,
        "to_name": shown,
        "type": "choices",
        "value": {"choices": [label]},
    }
