"""Projects: make them, change them, put them to work, and see how they stand."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import select

from quorate.service.accounts.permissions import (
    join_as_requester,
    may_create_projects,
    may_manage,
    may_read,
    projects_of,
)
from quorate.service.dashboard.overview import overview, status_counts
from quorate.service.decisions import activation as opening
from quorate.service.errors import Conflict
from quorate.service.projects import projects
from quorate.service.projects.settings import ProjectSettings
from quorate.service.refit import settings_change as changing
from quorate.service.routes.http.authentication import Caller
from quorate.service.routes.http.errors import PROBLEMS
from quorate.service.routes.http.params import MAX_ID, ProjectId, StoreOf
from quorate.service.schemas import BandOut, OverviewOut, ProjectBrief
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
Before = Annotated[int | None, Query(ge=1, le=MAX_ID, description="Older than this entry.")]


class ProjectListEntry(ProjectBrief):
    """A project in a list, with how many tasks stand how, all questions together."""

    statuses: dict[str, int]


class ProjectOut(ProjectBrief):
    """A project and its settings. warnings: what is allowed but unlikely to be meant."""

    settings_version: int
    settings: ProjectSettings
    warnings: list[str]


class StateIn(BaseModel):
    """The state that a project should go to."""

    model_config = ConfigDict(extra="forbid")

    state: Literal["pilot", "estimate", "running", "paused", "done"] = Field(examples=["running"])


class SettingsEffect(BaseModel):
    """What other settings would do to what is decided. warnings: what is allowed but unlikely to be meant."""

    reopened: int
    closed: int
    relabelled: int
    warnings: list[str]


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

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)  # estimates of old pilots have none

    at: float
    spent: float
    questions: dict[str, QuestionEstimate]
    warnings: list[str] = []


class LogEntry(BaseModel):
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
    may_create_projects(caller)
    with store.write() as connection:
        project_id = projects.create(connection, settings, caller.actor, store.clock())
        join_as_requester(connection, caller, project_id)
        return _shown(projects.get(connection, project_id))


@router.get("")
def list_projects(caller: Caller, store: StoreOf) -> list[ProjectListEntry]:
    """The projects that the caller may look into, newest first."""
    found = select(tables.projects).order_by(tables.projects.c.id.desc())
    with store.read() as connection:
        allowed = projects_of(connection, caller)
        rows = connection.execute(found if allowed is None else found.where(tables.projects.c.id.in_(allowed)))
        counts = status_counts(connection)
        return [ProjectListEntry(**vars(_brief(row)), statuses=counts.get(row.id, {})) for row in rows]


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
def preview(project_id: ProjectId, settings: Settings, caller: Caller, store: StoreOf) -> SettingsEffect:
    """How many items other settings would re-open, close or label otherwise; nothing is changed."""
    with store.read() as connection:
        may_manage(connection, caller, project_id)
    return SettingsEffect(**vars(changing.preview(store, project_id, settings)), warnings=settings.warnings)


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
def list_events(project_id: ProjectId, caller: Caller, store: StoreOf, before: Before = None) -> list[LogEntry]:
    """The audit log, newest first, a hundred at a time."""
    with store.read() as connection:
        may_read(connection, caller, project_id)
        projects.get(connection, project_id)
        rows = projects.history(connection, project_id, before=before)
        return [LogEntry(id=row.id, at=row.at, actor=row.actor, kind=row.kind, data=row.data) for row in rows]


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
