"""JSON objects that several routes and the event streams have in common.

A response is described once, as a pydantic model: REST and server-sent events send the same fields, and the OpenAPI
schema lists them. Models that only one route uses are defined next to that route.
"""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict
from typing_extensions import TypedDict  # pydantic cannot read that of typing before Python 3.12

ProjectState = Literal["draft", "pilot", "estimate", "running", "paused", "done"]
VoterKind = Literal["crowd", "expert"]
Role = Literal["owner", "requester", "expert", "worker"]
ItemKind = Literal["text", "pair", "image", "audio", "html", "features"]
VoterResponse = Literal["vote", "skip", "unsure"]


class ItemContent(TypedDict, total=False):
    """Content of an item, depending on its kind.

    An image or sound is a `url`, or an uploaded file (`media`). span: start and end of the part of the text that the
    question is about.
    """

    __pydantic_config__ = ConfigDict(extra="allow")  # type: ignore[misc]

    text: str
    text_a: str
    text_b: str
    html: str
    url: str
    media: str
    span: tuple[int, int]
    features: list[float] | dict[str, float]


class BandOut(BaseModel):
    """Forecast of a number, with the ends of its 80% interval."""

    value: float
    low: float
    high: float


class ProjectBrief(BaseModel):
    """Project without its settings."""

    id: int
    name: str
    state: ProjectState
    created_at: float


class ModelInUse(BaseModel):
    """Version of a model that decides now. n_votes: number of votes that it was fitted to."""

    version: int
    created_at: float
    n_votes: int
    metrics: dict[str, Any]


class WaitingOut(BaseModel):
    """Number of tasks that wait for a vote of the crowd or of an expert and that nobody has leased; 10,000 at most."""

    crowd: int
    expert: int


class OverviewOut(ProjectBrief):
    """Counts and costs of a project. tasks: number of tasks by question and status.

    leases: tasks that voters have in hand. machine_spent: part of `spent` that the classifier cost. committed: price of
    the leased votes. limit: budget in the present state; null if there is none. models: by question.
    """

    tasks: dict[str, dict[str, int]]
    voters: int
    votes: int
    leases: int
    waiting: WaitingOut
    spent: float
    machine_spent: float
    committed: float
    limit: float | None
    models: dict[str, ModelInUse]


class DecisionOut(BaseModel):
    """Decision about a task. item: key of the item. votes: number of votes that counted. at: time of the decision."""

    id: int
    item: str
    question: str
    status: str
    label: str | None
    confidence: float | None
    expected_cost: float | None
    reason: str | None
    votes: int
    at: float
