"""Classifying now: an item comes in, and is decided at once where the machine may, or else by people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from quorate.client.connection import Connection
from quorate.client.responses import read


@dataclass(frozen=True, kw_only=True)
class Answer:
    """How one question of an item stands; label and numbers once it is decided."""

    question: str
    status: str
    label: str | None
    confidence: float | None
    expected_cost: float | None
    reason: str | None


@dataclass(frozen=True, kw_only=True)
class Result:
    """What is decided on an item, or that people are asked. item: its key; of screening, included or excluded."""

    item: str
    id: int
    status: Literal["decided", "queued"]
    label: str | None
    confidence: float | None
    expected_cost: float | None
    reason: str | None
    answers: list[Answer]


@dataclass(frozen=True)
class Online:
    """Items one by one, as they turn up."""

    connection: Connection

    def classify(self, project: int, content: Mapping[str, str], *, key: str | None = None) -> Result:
        """Classify an item, such as {"text": "It purrs."}. A key of its own makes that sending it again is safe."""
        sent: dict[str, Any] = {"content": dict(content)} | ({} if key is None else {"key": key})
        return _read(self.connection.post(f"/api/projects/{project}/classify", sent, repeatable=key is not None))

    def classify_batch(self, project: int, items: Sequence[Mapping[str, Any]]) -> list[Result]:
        """Classify up to a hundred: {"key", "content"} or {"key", "features"} each; all are taken, or none."""
        sent = {"items": [dict(one) for one in items]}
        repeatable = all("key" in one for one in items)
        said = self.connection.post(f"/api/projects/{project}/classify/batch", sent, repeatable=repeatable)
        return [_read(one) for one in said["results"]]

    def result(self, project: int, item: int | str) -> Result:
        """How an item stands, by its number or its key."""
        if isinstance(item, int):
            return _read(self.connection.get(f"/api/projects/{project}/results/{item}"))
        return _read(self.connection.get(f"/api/projects/{project}/results", {"key": item}))


def _read(said: Any) -> Result:
    return read(Result, {**said, "answers": [read(Answer, one) for one in said["answers"]]})
