"""Items as an augmented manifest of SageMaker Ground Truth: one line per item, with labels and their metadata."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import orjson

from quorate.service.exports.items import ItemRecord, QuestionResult


def to_manifest(parts: Iterator[list[ItemRecord]], *, job: str, now: float) -> Iterator[bytes]:
    """Yield JSON lines. An uploaded file is named by its path in the data folder: prepend the URL of that folder."""
    for part in parts:
        yield b"".join(orjson.dumps(_line(item, job, now)) + b"\n" for item in part)


def _line(item: ItemRecord, job: str, now: float) -> dict[str, Any]:
    line: dict[str, Any] = {**_source(item), "key": item.key}
    for result in item.results:
        if result.label is not None:
            name = result.question_plan.question.name
            line[name] = result.question_plan.label_of[result.label]
            line[f"{name}-metadata"] = _metadata(result, item.kind, job, now)
    return line


def _source(item: ItemRecord) -> dict[str, Any]:
    cells = item.cells
    if item.kind in ("image", "audio"):
        return {"source-ref": cells[item.kind]}
    if item.kind == "pair":  # a manifest has one source: both texts are also included under their own names
        texts = {name: cells[name] for name in ("text_a", "text_b")}
        return {"source": f"{texts['text_a']}\n\n{texts['text_b']}", **texts}
    if item.kind == "features":
        return {"source": orjson.dumps(cells["features"]).decode(), "features": cells["features"]}
    return {"source": cells[item.kind]}


def _metadata(result: QuestionResult, kind: str, job: str, now: float) -> dict[str, Any]:
    decided_at = datetime.fromtimestamp(result.decided_at or now, UTC)
    return {
        "class-name": result.label,
        "confidence": 1.0 if result.confidence is None else round(result.confidence, 6),
        "human-annotated": "no" if result.decided_by == "machine" else "yes",
        "creation-date": decided_at.strftime("%Y-%m-%dT%H:%M:%S.%f"),
        "type": f"groundtruth/{'image' if kind == 'image' else 'text'}-classification",
        "job-name": job,
    }
