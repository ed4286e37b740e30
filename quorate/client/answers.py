"""What the service answers, as dataclasses; what a newer service says beyond them is left out."""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, Literal, TypeVar

from quorate.client.errors import ClientError

Json = dict[str, Any]
T = TypeVar("T")
WorkState = Literal["work", "wait", "done", "failed"]


def read(kind: type[T], said: Any) -> T:
    """An answer of the service as a dataclass.

    >>> read(Feedback, {"right": False, "label": "cat", "more": "not known here"})
    Feedback(right=False, label='cat')
    """
    if not isinstance(said, Mapping):
        raise ClientError(f"the service answered a {type(said).__name__} where a {kind.__name__} was expected")
    known = fields(kind)  # type: ignore[arg-type]  # of a dataclass
    for one in known:
        if one.name not in said and one.default is MISSING and one.default_factory is MISSING:
            raise ClientError(
                f"the service's {kind.__name__} lacks {one.name!r}: are client and service of one version?"
            )
    return kind(**{one.name: said[one.name] for one in known if one.name in said})


@dataclass(frozen=True, kw_only=True)
class Project:
    """A project: `settings` is all that its requester chose."""

    id: int
    state: str  # draft | pilot | estimate | running | paused | done
    settings: Json

    @property
    def name(self) -> str:
        """What it is called."""
        return str(self.settings.get("name", ""))


@dataclass(frozen=True, kw_only=True)
class Overview:
    """How a project stands: tasks by status, money, votes, and the versions of what was learnt."""

    state: str
    statuses: Json
    votes: int
    spent: float
    committed: float
    budget: float | None = None
    models: Json | None = None


@dataclass(frozen=True, kw_only=True)
class Item:
    """An item as a worker sees it: `content` by kind, such as {"text": ...} or {"url": ...}."""

    key: str
    kind: str
    content: Json


@dataclass(frozen=True, kw_only=True)
class Lease:
    """A question about one item that this worker may answer until `expires_at` (seconds since 1970)."""

    lease: int
    task: int
    question: str
    item: Item
    expires_at: float
    classes: list[str] | None = None
    purpose: str | None = None  # practice, or work; a check looks like work


@dataclass(frozen=True, kw_only=True)
class Batch:
    """What there is to do now: leases; or none, and whether to come again after `retry_after` seconds."""

    leases: list[Lease]
    state: WorkState
    retry_after: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Feedback:
    """What a practice item should have been called."""

    right: bool
    label: str | None = None


@dataclass(frozen=True, kw_only=True)
class Receipt:
    """What became of a vote: counted; repeated, where it was there already; or late, and not counted."""

    key: str
    outcome: Literal["counted", "repeated", "late"]
    id: int | None = None
    feedback: Json | None = None
