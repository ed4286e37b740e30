"""Online classification: an item is decided by the classifier if it may, otherwise queued for people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from quorate.client.connection import Connection
from quorate.client.responses import read


@dataclass(frozen=True, kw_only=True)
class Answer:
    """State of one question about an item; label and numbers are set once it is decided."""

    question: str
    status: str
    label: str | None
    confidence: float | None
    expected_cost: float | None
    reason: str | None


@dataclass(frozen=True, kw_only=True)
class Result:
    """Decision on an item, or its place in the queue. item: its key. label: in screening, included or excluded."""

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
    """Classification of items as they arrive."""

    connection: Connection

    def classify(self, project: int, content: Mapping[str, str], *, key: str | None = None) -> Result:
        """Classify an item, and return its label or its state.

        Args:
            project: number of the project.
            content: content of the item, such as {"text": "It purrs."}.
            key: key of the item; with one, a request can be repeated safely.
        """
        body: dict[str, Any] = {"content": dict(content)} | ({} if key is None else {"key": key})
        return _read(self.connection.post(f"/api/projects/{project}/classify", body, repeatable=key is not None))

    def classify_batch(self, project: int, items: Sequence[Mapping[str, Any]]) -> list[Result]:
        """Classify up to a hundred items, {"key", "content"} or {"key", "features"}; all are accepted, or none."""
        body = {"items": [dict(item) for item in items]}
        repeatable = all("key" in item for item in items)
        response = self.connection.post(f"/api/projects/{project}/classify/batch", body, repeatable=repeatable)
        return [_read(result) for result in response["results"]]

    def result(self, project: int, item: int | str) -> Result:
        """Return the result of an item by its number or its key."""
        if isinstance(item, int):
            return _read(self.connection.get(f"/api/projects/{project}/results/{item}"))
        return _read(self.connection.get(f"/api/projects/{project}/results", {"key": item}))


def _read(response: Any) -> Result:
    return read(Result, {**response, "answers": [read(Answer, answer) for answer in response["answers"]]})
