"""What the service answers, as dataclasses; what a newer service says beyond them is left out."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, Literal, TypeVar

from quorate.client.errors import ClientError

Json = dict[str, Any]
T = TypeVar("T")
OPEN = ("waiting", "asking")  # tasks that nobody decided yet
WorkState = Literal["work", "wait", "done", "failed"]


def read(kind: type[T], said: Any) -> T:
    """An answer of the service as a dataclass.

    >>> read(Item, {"id": 7, "kind": "text", "content": {"text": "A cat."}, "more": "not known here"})
    Item(id=7, kind='text', content={'text': 'A cat.'})
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
class ProjectBrief:
    """A project in a list. state: draft | pilot | estimate | running | paused | done."""

    id: int
    name: str
    state: str
    created_at: float


@dataclass(frozen=True, kw_only=True)
class Project(ProjectBrief):
    """A project with all that its requester chose."""

    settings: Json
    settings_version: int
    warnings: list[str] = field(default_factory=list)  # what is allowed but unlikely to be meant

    @property
    def classes(self) -> dict[str, list[str]]:
        """The answers to each question."""
        return {one["name"]: [answer["name"] for answer in one["classes"]] for one in self.settings["questions"]}


@dataclass(frozen=True, kw_only=True)
class Effect:
    """What other settings would do: how many decided tasks would be asked again, closed, or labelled otherwise."""

    reopened: int
    closed: int
    relabelled: int
    warnings: list[str] = field(default_factory=list)  # what is allowed but unlikely to be meant


@dataclass(frozen=True, kw_only=True)
class Overview(ProjectBrief):
    """How a project stands. tasks: how many, by question and status; limit: the budget in force; models: in use.

    waiting: tasks that ask for the crowd and for an expert and that nobody has in hand, each up to 10,000.
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
    machine_spent: float = 0.0  # of what was spent, for the classifier

    @property
    def by_status(self) -> dict[str, int]:
        """How many tasks of all questions stand how."""
        return dict(sum((Counter(counts) for counts in self.tasks.values()), Counter()))

    @property
    def n_tasks(self) -> int:
        """Questions about items, in all."""
        return sum(self.by_status.values())

    @property
    def learnt_votes(self) -> int:
        """How many votes the models in use were fitted to."""
        return sum(int(model["n_votes"]) for model in self.models.values())

    @property
    def n_open(self) -> int:
        """How many tasks are not decided yet."""
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

    Its key is not shown to workers; a requester finds it by `client.items.keys`.
    """

    id: int
    kind: str
    content: Json


@dataclass(frozen=True, kw_only=True)
class Lease:
    """A question about one item that this worker may answer until `expires_at` (seconds since 1970).

    practice: the right label is told after the answer, and nothing is paid.
    """

    lease: int
    task: int
    question: str
    item: Item
    expires_at: float
    practice: bool = False


@dataclass(frozen=True, kw_only=True)
class Batch:
    """What there is to do now: leases; or none, and whether to come again after `retry_after` seconds."""

    leases: list[Lease]
    state: WorkState
    retry_after: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Consent:
    """What a worker agrees to, a text or its address; without a version there is nothing to agree to."""

    version: str | None
    text: str
    url: str | None
    agreed: bool


@dataclass(frozen=True, kw_only=True)
class Completion:
    """What a visit came to, the code for it, and where to go back to."""

    outcome: str
    code: str
    url: str | None


@dataclass(frozen=True, kw_only=True)
class Receipt:
    """What became of a vote: counted; repeated, where it was there already; or late, and not counted.

    vote: its number, by which it can be amended. right: of practice, the label it should be.
    """

    key: str
    outcome: Literal["counted", "repeated", "late"]
    vote: int | None = None
    right: str | None = None
