"""Responses of the service as dataclasses; unknown fields of a newer service are ignored."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, Literal, TypeVar

from quorate.client.errors import ClientError

Json = dict[str, Any]
T = TypeVar("T")
OPEN = ("waiting", "asking")  # statuses of tasks without a decision
WorkState = Literal["work", "wait", "done", "failed"]


def read(kind: type[T], response: Any) -> T:
    """Return a response of the service as a dataclass.

    >>> read(Item, {"id": 7, "kind": "text", "content": {"text": "A cat."}, "more": "unknown to the client"})
    Item(id=7, kind='text', content={'text': 'A cat.'})
    """
    if not isinstance(response, Mapping):
        raise ClientError(f"the service returned a {type(response).__name__} where a {kind.__name__} was expected")
    expected = fields(kind)  # type: ignore[arg-type]  # a dataclass
    for entry in expected:
        if entry.name not in response and entry.default is MISSING and entry.default_factory is MISSING:
            raise ClientError(
                f"the {kind.__name__} of the service lacks {entry.name!r}: use the same version of client and service"
            )
    return kind(**{entry.name: response[entry.name] for entry in expected if entry.name in response})


@dataclass(frozen=True, kw_only=True)
class ProjectBrief:
    """A project without its settings. state: draft | pilot | estimate | running | paused | done."""

    id: int
    name: str
    state: str
    created_at: float


@dataclass(frozen=True, kw_only=True)
class ProjectListed(ProjectBrief):
    """A project in a list. statuses: number of tasks of all questions by status."""

    statuses: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Project(ProjectBrief):
    """A project with its settings."""

    settings: Json
    settings_version: int
    warnings: list[str] = field(default_factory=list)  # settings that are allowed but probably not intended

    @property
    def classes(self) -> dict[str, list[str]]:
        """Names of the classes of each question."""
        questions = self.settings["questions"]
        return {question["name"]: [entry["name"] for entry in question["classes"]] for question in questions}


@dataclass(frozen=True, kw_only=True)
class Effect:
    """Effect of other settings: numbers of decided tasks that would be reopened, closed or relabelled."""

    reopened: int
    closed: int
    relabelled: int
    warnings: list[str] = field(default_factory=list)  # settings that are allowed but probably not intended


@dataclass(frozen=True, kw_only=True)
class Overview(ProjectBrief):
    """State of a project.

    Attributes:
        tasks: number of tasks by question and status.
        voters: number of workers and experts.
        votes: number of votes.
        leases: number of tasks that workers hold now.
        waiting: tasks that wait for the crowd and for an expert and are not leased, each counted up to 10,000.
        spent: money spent.
        committed: money reserved for leased tasks.
        limit: budget; None for no limit.
        models: models in use, by question.
        machine_spent: part of `spent` that the classifier cost.
    """

    tasks: dict[str, dict[str, int]]
    voters: int
    votes: int
    leases: int
    waiting: dict[str, int]
    spent: float
    committed: float
    limit: float | None
    models: dict[str, Json]
    machine_spent: float = 0.0

    @property
    def by_status(self) -> dict[str, int]:
        """Number of tasks of all questions by status."""
        return dict(sum((Counter(counts) for counts in self.tasks.values()), Counter()))

    @property
    def n_tasks(self) -> int:
        """Number of tasks of all questions."""
        return sum(self.by_status.values())

    @property
    def learnt_votes(self) -> int:
        """Number of votes that the models in use were fitted to."""
        return sum(int(model["n_votes"]) for model in self.models.values())

    @property
    def n_open(self) -> int:
        """Number of tasks without a decision."""
        return sum(self.by_status.get(status, 0) for status in OPEN)


@dataclass(frozen=True, kw_only=True)
class Event:
    """An entry of the audit log."""

    id: int
    at: float
    actor: str
    kind: str
    data: Json


@dataclass(frozen=True, kw_only=True)
class Item:
    """An item as a worker sees it: its number, and `content` by kind, such as {"text": ...} or {"url": ...}.

    Its key is not shown to workers; requesters look it up with `client.items.keys`.
    """

    id: int
    kind: str
    content: Json


@dataclass(frozen=True, kw_only=True)
class Lease:
    """A task that is reserved for this worker until `expires_at` (seconds since 1970).

    practice: whether the correct label is shown after the vote, which is not paid.
    """

    lease: int
    task: int
    question: str
    item: Item
    expires_at: float
    practice: bool = False


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Leases of a worker; without any, `state` says whether to ask again after `retry_after` seconds."""

    leases: list[Lease]
    state: WorkState
    retry_after: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Consent:
    """Text or address of the consent of a worker; without a version, no consent is needed."""

    version: str | None
    text: str
    url: str | None
    agreed: bool


@dataclass(frozen=True, kw_only=True)
class Completion:
    """Outcome of a visit, its completion code, and the return address."""

    outcome: str
    code: str
    url: str | None


@dataclass(frozen=True, kw_only=True)
class Receipt:
    """Outcome of a vote: counted; repeated, if it had been received before; or late, and not counted.

    vote: its number, with which it can be amended. right: in practice, the correct label.
    """

    key: str
    outcome: Literal["counted", "repeated", "late"]
    vote: int | None = None
    right: str | None = None
