"""Projects: create them, change settings and state, and show their overview, estimate and audit log."""

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
from quorate.service.decisions import activation
from quorate.service.errors import Conflict
from quorate.service.projects import projects
from quorate.service.projects.settings import ProjectSettings
from quorate.service.refit import settings_change
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
Before = Annotated[int | None, Query(ge=1, le=MAX_ID, description="Only entries before this id.")]


class ProjectListEntry(ProjectBrief):
    """Project in a list. statuses: number of tasks by status, over all questions."""

    statuses: dict[str, int]


class ProjectOut(ProjectBrief):
    """Project with its settings. warnings: settings that are allowed but unlikely to be intended."""

    settings_version: int
    settings: ProjectSettings
    warnings: list[str]


class StateIn(BaseModel):
    """New state of a project."""

    model_config = ConfigDict(extra="forbid")

    state: Literal["pilot", "estimate", "running", "paused", "done"] = Field(examples=["running"])


class SettingsEffect(BaseModel):
    """Effect of new settings on decided items. warnings: settings that are allowed but unlikely to be intended."""

    reopened: int
    closed: int
    relabelled: int
    warnings: list[str]


class StrategyOut(BaseModel):
    """Forecast of what is left by a strategy. days: at the present rate of votes. errors: null without an audit."""

    votes: BandOut
    spend: BandOut
    days: BandOut | None
    errors: BandOut | None


class QuestionEstimate(BaseModel):
    """Estimate for a question: number of items without votes, and the forecast of each strategy."""

    items_left: int
    strategies: dict[str, StrategyOut]


class EstimateOut(BaseModel):
    """Estimate of the remaining costs by question. spent: costs so far. warnings: limits of the estimate."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)  # estimates of old pilots have none

    at: float
    spent: float
    questions: dict[str, QuestionEstimate]
    warnings: list[str] = []


class LogEntry(BaseModel):
    """Entry of the audit log."""

    id: int
    at: float
    actor: str
    kind: str
    data: dict[str, Any]


Settings = Annotated[ProjectSettings, Field(examples=[EXAMPLE])]


@router.post("", status_code=201)
def create(settings: Settings, caller: Caller, store: StoreOf) -> ProjectOut:
    """Create a project, as a draft."""
    account_id = may_create_projects(caller)
    with store.write() as connection:
        project_id = projects.create(connection, settings, caller.actor, store.clock())
        members.add(connection, project_id, account_id)
        return _to_project(projects.get(connection, project_id))


@router.get("")
def list_projects(caller: Caller, store: StoreOf) -> list[ProjectListEntry]:
    """List the projects that the caller may read, newest first."""
    query = select(tables.projects).order_by(tables.projects.c.id.desc())
    with store.read() as connection:
        allowed = readable_projects(connection, caller)
        rows = connection.execute(query if allowed is None else query.where(tables.projects.c.id.in_(allowed)))
        counts = status_counts(connection)
        return [ProjectListEntry(**vars(_to_brief(row)), statuses=counts.get(row.id, {})) for row in rows]


@router.get("/{project_id}")
def show(project_id: ProjectId, caller: Caller, store: StoreOf) -> ProjectOut:
    """Return a project and its settings."""
    with store.read() as connection:
        may_read(connection, caller, project_id)
        return _to_project(projects.get(connection, project_id))


@router.get("/{project_id}/overview")
def show_overview(project_id: ProjectId, caller: Caller, store: StoreOf) -> OverviewOut:
    """Return the counts of tasks and votes, and the costs, of a project."""
    with store.read() as connection:
        may_read(connection, caller, project_id)
        return OverviewOut(**overview(connection, projects.get(connection, project_id)))


@router.post("/{project_id}/settings/preview")
def preview(project_id: ProjectId, settings: Settings, caller: Caller, store: StoreOf) -> SettingsEffect:
    """Count the items that new settings would reopen, close or relabel; nothing is changed."""
    with store.read() as connection:
        may_manage(connection, caller, project_id)
    return SettingsEffect(**vars(settings_change.preview(store, project_id, settings)), warnings=settings.warnings)


@router.put("/{project_id}/settings")
def change_settings(project_id: ProjectId, settings: Settings, caller: Caller, store: StoreOf) -> ProjectOut:
    """Change the settings; items are decided again, and the effect is logged."""
    with store.read() as connection:
        may_manage(connection, caller, project_id)
    settings_change.put_in_force(store, project_id, settings, caller.actor)
    with store.read() as connection:
        return _to_project(projects.get(connection, project_id))


@router.post("/{project_id}/state")
def change_state(project_id: ProjectId, body: StateIn, caller: Caller, store: StoreOf) -> ProjectBrief:
    """Change the state of a project: start a pilot or the run, pause, resume, or end it."""
    with store.read() as connection:
        may_manage(connection, caller, project_id)
    activation.move(store, project_id, body.state, caller.actor)
    with store.read() as connection:
        return _to_brief(projects.get(connection, project_id))


@router.get("/{project_id}/estimate")
def show_estimate(project_id: ProjectId, caller: Caller, store: StoreOf) -> EstimateOut:
    """Return the estimate of the remaining costs by strategy, which is made at the end of the pilot."""
    with store.read() as connection:
        may_read(connection, caller, project_id)
        row = projects.get(connection, project_id)
    if row.estimate is None:
        raise Conflict("there is no estimate yet: run a pilot, and wait until it ends")
    return EstimateOut.model_validate(row.estimate)


@router.get("/{project_id}/events")
def list_events(project_id: ProjectId, caller: Caller, store: StoreOf, before: Before = None) -> list[LogEntry]:
    """List the audit log, newest first, a hundred entries at a time."""
    with store.read() as connection:
        may_read(connection, caller, project_id)
        projects.get(connection, project_id)
        rows = projects.history(connection, project_id, before=before)
        return [LogEntry(id=row.id, at=row.at, actor=row.actor, kind=row.kind, data=row.data) for row in rows]


def _to_brief(row: Record) -> ProjectBrief:
    return ProjectBrief(id=row.id, name=row.name, state=row.state, created_at=row.created_at)


def _to_project(row: Record) -> ProjectOut:
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
