"""Projects: make them, change them, put them to work, and see how they stand."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import select

from quorate.service.accounts import members
from quorate.service.accounts.permissions import (
    may_create_projects,
    may_manage,
    may_read,
    readable_projects,
)
from quorate.service.dashboard.overview import overview, status_counts
from quorate.service.decisions import activation as opening
from quorate.service.errors import Conflict
from quorate.service.projects import projects
from quorate.service.projects.settings import ProjectSettings
from quorate.service.refit import settings_change as changing
from quorate.service.routes.authentication import Caller
from quorate.service.routes.errors import PROBLEMS
from quorate.service.routes.inputs import MOST, ProjectId, StoreOf
from quorate.service.store import tables
from quorate.service.store.database import Record

router = APIRouter(prefix="/api/projects", tags=["projects"], responses=PROBLEMS)

EXAMPLE = {
    "name": "Pets",
    "questions": [{"name": "pet", "text": "What is it?", "classes": ["cat", "dog"]}],
    "costs": {"error": 50},
    "prices": {"votes": {"crowd": 0.05, "expert": 0.5}},
    "budget": 100,
}
Before = Annotated[int | None, Query(ge=1, le=MOST, description="Older than this entry.")]


class ProjectBrief(BaseModel):
    """A project in a list."""

    id: int
    name: str
    state: str
    created_at: float


class ProjectListed(ProjectBrief):
    """A project in a list, with how many tasks stand how, all questions together."""

    statuses: dict[str, int]


class ProjectOut(ProjectBrief):
    """A project and its settings. warnings: what is allowed but unlikely to be meant."""

    settings_version: int
    settings: ProjectSettings
    warnings: list[str] = []


class StateIn(BaseModel):
    """The state that a project should go to."""

    model_config = ConfigDict(extra="forbid")

    state: Literal["pilot", "estimate", "running", "paused", "done"] = Field(examples=["running"])


class EffectOut(BaseModel):
    """What other settings would do to what is decided. warnings: what is allowed but unlikely to be meant."""

    reopened: int
    closed: int
    relabelled: int
    warnings: list[str] = []


class OverviewOut(ProjectBrief):
    """How a project stands: tasks by question and status, money, models in use.

    waiting: tasks that ask for the crowd and for an expert and that nobody has in hand, each up to 10,000.
    machine_spent: of `spent`, what the classifier took.
    """

    tasks: dict[str, dict[str, int]]
    voters: int
    votes: int
    leases: int
    waiting: dict[str, int]
    spent: float
    machine_spent: float = 0.0
    committed: float
    limit: float | None
    models: dict[str, dict[str, Any]]


class BandOut(BaseModel):
    """A number to expect, and the ends between which it is to lie in four of five projects."""

    value: float
    low: float
    high: float


class StrategyOut(BaseModel):
    """What is still to come by one strategy. days: at the rate of votes so far. errors: where an audit allows it."""

    votes: BandOut
    spend: BandOut
    days: BandOut | None
    errors: BandOut | None


class QuestionEstimate(BaseModel):
    """Of one question: items that have no votes yet, and each strategy on them."""

    items_left: int
    strategies: dict[str, StrategyOut]


class EstimateOut(BaseModel):
    """What the rest will cost, by question. spent: so far. warnings: what to know before relying on it."""

    at: float
    spent: float
    questions: dict[str, QuestionEstimate]
    warnings: list[str] = []


class EventOut(BaseModel):
    """An entry of the audit log."""

    id: int
    at: float
    actor: str
    kind: str
    data: dict[str, Any]


Settings = Annotated[ProjectSettings, Field(examples=[EXAMPLE])]


@router.post("", status_code=201)
def create(settings: Settings, caller: Caller, store: StoreOf) -> ProjectOut:
    """Make a project, as a draft."""
    account_id = may_create_projects(caller)
    with store.write() as connection:
        project_id = projects.create(connection, settings, caller.actor, store.clock())
        members.add(connection, project_id, account_id)
        return _shown(projects.get(connection, project_id))


@router.get("")
def list_projects(caller: Caller, store: StoreOf) -> list[ProjectListed]:
    """The projects that the caller may look into, newest first."""
    found = select(tables.projects).order_by(tables.projects.c.id.desc())
    with store.read() as connection:
        allowed = readable_projects(connection, caller)
        rows = connection.execute(found if allowed is None else found.where(tables.projects.c.id.in_(allowed)))
        counts = status_counts(connection)
        return [ProjectListed(**vars(_brief(row)), statuses=counts.get(row.id, {})) for row in rows]


@router.get("/{project_id}")
def show(project_id: ProjectId, caller: Caller, store: StoreOf) -> ProjectOut:
    """A project and its settings."""
    with store.read() as connection:
        may_read(connection, caller, project_id)
        return _shown(projects.get(connection, project_id))


@router.get("/{project_id}/overview")
def show_overview(project_id: ProjectId, caller: Caller, store: StoreOf) -> OverviewOut:
    """What is decided and by whom, what was spent, what is promised."""
    with store.read() as connection:
        may_read(connection, caller, project_id)
        return OverviewOut(**overview(connection, projects.get(connection, project_id)))


@router.post("/{project_id}/settings/preview")
def preview(project_id: ProjectId, settings: Settings, caller: Caller, store: StoreOf) -> EffectOut:
    """How many items other settings would re-open, close or label otherwise; nothing is changed."""
    with store.read() as connection:
        may_manage(connection, caller, project_id)
    return EffectOut(**vars(changing.preview(store, project_id, settings)), warnings=settings.warnings)


@router.put("/{project_id}/settings")
def change_settings(project_id: ProjectId, settings: Settings, caller: Caller, store: StoreOf) -> ProjectOut:
    """Put other settings in force; what is decided is decided again, and its effect logged."""
    with store.read() as connection:
        may_manage(connection, caller, project_id)
    changing.put_in_force(store, project_id, settings, caller.actor)
    with store.read() as connection:
        return _shown(projects.get(connection, project_id))


@router.post("/{project_id}/state")
def change_state(project_id: ProjectId, body: StateIn, caller: Caller, store: StoreOf) -> ProjectBrief:
    """Start a pilot or the run, pause, go on, or end."""
    with store.read() as connection:
        may_manage(connection, caller, project_id)
    opening.move(store, project_id, body.state, caller.actor)
    with store.read() as connection:
        return _brief(projects.get(connection, project_id))


@router.get("/{project_id}/estimate")
def show_estimate(project_id: ProjectId, caller: Caller, store: StoreOf) -> EstimateOut:
    """What the rest will cost by each strategy, with bands of 80 %; made when the pilot has ended."""
    with store.read() as connection:
        may_read(connection, caller, project_id)
        row = projects.get(connection, project_id)
    if row.estimate is None:
        raise Conflict("there is no estimate yet: run a pilot, and wait for its end")
    return EstimateOut.model_validate(row.estimate)


@router.get("/{project_id}/events")
def list_events(project_id: ProjectId, caller: Caller, store: StoreOf, before: Before = None) -> list[EventOut]:
    """The audit log, newest first, a hundred at a time."""
    with store.read() as connection:
        may_read(connection, caller, project_id)
        projects.get(connection, project_id)
        rows = projects.history(connection, project_id, before=before)
        return [EventOut(id=row.id, at=row.at, actor=row.actor, kind=row.kind, data=row.data) for row in rows]


def _brief(row: Record) -> ProjectBrief:
    return ProjectBrief(id=row.id, name=row.name, state=row.state, created_at=row.created_at)


def _shown(row: Record) -> ProjectOut:
    settings = ProjectSettings.model_validate(row.settings)
    return ProjectOut(
        id=row.id,
        name=row.name,
        state=row.state,
        created_at=row.created_at,
        settings_version=row.settings_version,
        settings=settings,
        warnings=settings.warnings,
    )
