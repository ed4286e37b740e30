"""Items as an augmented manifest of SageMaker Ground Truth: a line each, with a label and its metadata per question."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import orjson

from quorate.service.exports.items import Answer, ItemRecord


def to_manifest(parts: Iterator[list[ItemRecord]], *, job: str, now: float) -> Iterator[bytes]:
    """JSON lines. An uploaded file goes by its path in the data folder: put that folder's address before it."""
    for part in parts:
        yield b"".join(orjson.dumps(_line(one, job, now)) + b"\n" for one in part)


def _line(one: ItemRecord, job: str, now: float) -> dict[str, Any]:
    line: dict[str, Any] = {**_source(one), "key": one.key}
    for answer in one.answers:
        if answer.label is not None:
            name = answer.asked.question.name
            line[name] = answer.asked.label_of[answer.label]
            line[f"{name}-metadata"] = _metadata(answer, one.kind, job, now)
    return line


def _source(one: ItemRecord) -> dict[str, Any]:
    cells = one.cells
    if one.kind in ("image", "audio"):
        return {"source-ref": cells[one.kind]}
    if one.kind == "pair":  # a manifest has one source: both texts are there as well, by their own names
        both = {name: cells[name] for name in ("text_a", "text_b")}
        return {"source": f"{both['text_a']}\n\n{both['text_b']}", **both}
    if one.kind == "features":
        return {"source": orjson.dumps(cells["features"]).decode(), "features": cells["features"]}
    return {"source": cells[one.kind]}


def _metadata(answer: Answer, kind: str, job: str, now: float) -> dict[str, Any]:
    made = datetime.fromtimestamp(answer.decided_at or now, UTC)
    return {
        "class-name": answer.label,
        "confidence": 1.0 if answer.confidence is None else round(answer.confidence, 6),
        "human-annotated": "no" if answer.decided_by == "machine" else "yes",
        "creation-date": made.strftime("%Y-%m-%dT%H:%M:%S.%f"),
        "type": f"groundtruth/{'image' if kind == 'image' else 'text'}-classification",
        "job-name": job,
    }
