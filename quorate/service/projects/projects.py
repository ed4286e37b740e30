"""Projects: their rows, the states they go through, and changes of their settings."""

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails
from sqlalchemy import Connection, delete, insert, select, update

from quorate.service.audit_log import log
from quorate.service.errors import Conflict, Invalid, NotFound
from quorate.service.money import from_money, to_money
from quorate.service.projects.settings import ProjectSettings
from quorate.service.store.database import Record
from quorate.service.store.tables import events, items, projects, questions

DRAFT, PILOT, ESTIMATE, RUNNING, PAUSED, DONE = "draft", "pilot", "estimate", "running", "paused", "done"
AT_WORK = (PILOT, RUNNING)  # in these states votes are asked for
NEXT_STATES = {
    DRAFT: (PILOT, RUNNING),
    PILOT: (ESTIMATE, PAUSED),
    ESTIMATE: (PILOT, RUNNING, DONE),
    RUNNING: (PAUSED, DONE),
    PAUSED: (PILOT, RUNNING, DONE),
    DONE: (RUNNING,),
}
FIXED_SETTINGS = ("kind", "questions")  # votes depend on them


def parse_settings(values: Mapping[str, Any]) -> ProjectSettings:
    """Return validated settings; refuse invalid ones with one line that says what is wrong."""
    try:
        return ProjectSettings.model_validate(values)
    except ValidationError as error:
        raise Invalid(describe_errors(error), field_errors(error.errors())) from None


def describe_errors(error: ValidationError) -> str:
    """Return the first five errors in one line.

    >>> try:
    ...     ProjectSettings.model_validate({"name": "", "questions": []})
    ... except ValidationError as error:
    ...     print(describe_errors(error))
    name: String should have at least 1 character; questions: Tuple should have at least 1 item ...
    """
    return "; ".join(
        f"{'.'.join(str(part) for part in entry['loc']) or 'settings'}: {entry['msg'].removeprefix('Value error, ')}"
        for entry in error.errors()[:5]
    )


def field_errors(errors: Iterable[ErrorDetails]) -> dict[str, str]:
    """Return the first message of each field by its dotted path; what is wrong with the whole has no field.

    >>> try:
    ...     ProjectSettings.model_validate({"name": "Pets", "questions": [], "workers": {"batch": 0}})
    ... except ValidationError as error:
    ...     print(field_errors(error.errors())["workers.batch"])
    Input should be greater than or equal to 1
    """
    fields: dict[str, str] = {}
    for error in errors:
        if error["loc"]:
            fields.setdefault(".".join(map(str, error["loc"])), error["msg"].removeprefix("Value error, "))
    return fields


def create(connection: Connection, settings: ProjectSettings, actor: str, at: float) -> int:
    """Create a project in the state draft; return its id."""
    project_id = connection.execute(
        insert(projects)
        .values(name=settings.name, state=DRAFT, settings=settings.model_dump(mode="json"), created_at=at)
        .returning(projects.c.id)
    ).scalar_one()
    _add_questions(connection, project_id, settings)
    log(connection, project_id, actor, "project.created", {"name": settings.name}, at)
    return int(project_id)


def get(connection: Connection, project_id: int, *, lock: bool = False) -> Record:
    """Return the row of a project, locked if asked for."""
    query = select(projects).where(projects.c.id == project_id)
    row = connection.execute(query.with_for_update() if lock else query).one_or_none()
    if row is None:
        raise NotFound(f"there is no project {project_id}")
    return row


def spending_limit(state: str, settings: ProjectSettings) -> int | None:
    """Return how much a project may have spent in total while it is in a state; None without a budget."""
    budget = None if settings.budget is None else to_money(settings.budget)
    pilot = None if settings.pilot.budget is None else to_money(settings.pilot.budget)
    if state not in (PILOT, ESTIMATE) or pilot is None:
        return budget
    return pilot if budget is None else min(pilot, budget)


def require_affordable(spent: int, limit: int | None) -> None:
    """Refuse a budget that is below what is spent or reserved already."""
    if limit is not None and spent > limit:
        raise Conflict(
            f"{from_money(spent):g} is spent or reserved already: the budget cannot be {from_money(limit):g}"
        )


def set_state(connection: Connection, row: Record, state: str, actor: str, at: float) -> None:
    """Move a project to another state. row: of the project, locked."""
    if state not in NEXT_STATES:
        raise Invalid(f"a project is {', '.join(NEXT_STATES)}, got {state!r}")
    if state == row.state:
        return
    if state not in NEXT_STATES[row.state]:
        raise Conflict(
            f"a project that is {row.state} cannot become {state}: it can become {' or '.join(NEXT_STATES[row.state])}"
        )
    settings = ProjectSettings.model_validate(row.settings)
    limit = spending_limit(_budget_state(row, state), settings)
    require_affordable(row.spent + row.committed, limit)
    connection.execute(update(projects).where(projects.c.id == row.id).values(state=state, money_limit=limit))
    log(connection, row.id, actor, "project.state", {"from": row.state, "to": state}, at)


def _budget_state(row: Record, state: str) -> str:
    """Return the state whose budget applies: a pilot that pauses keeps its own budget."""
    return PILOT if state == PAUSED and row.state == PILOT else state


def change_settings(
    connection: Connection, row: Record, settings: ProjectSettings, actor: str, at: float, effect: Mapping[str, Any]
) -> None:
    """Apply new settings. row: of the project, locked. effect: the forecast of their effect, for the audit log."""
    before = ProjectSettings.model_validate(row.settings)
    if any(getattr(before, name) != getattr(settings, name) for name in FIXED_SETTINGS):
        _replace_questions(connection, row, settings)
    limit = spending_limit(row.state, settings)
    require_affordable(row.spent + row.committed, limit)
    connection.execute(
        update(projects)
        .where(projects.c.id == row.id)
        .values(
            name=settings.name,
            settings=settings.model_dump(mode="json"),
            settings_version=row.settings_version + 1,
            money_limit=limit,
        )
    )
    changed = sorted(name for name in type(settings).model_fields if getattr(before, name) != getattr(settings, name))
    data = {"changed": changed, "from": _dumped(before, changed), "to": _dumped(settings, changed), **effect}
    log(connection, row.id, actor, "project.settings", data, at)


def require_same_questions(row: Record, settings: ProjectSettings) -> None:
    """Refuse to change the questions of a project that has begun."""
    before = ProjectSettings.model_validate(row.settings)
    if row.state != DRAFT and any(getattr(before, name) != getattr(settings, name) for name in FIXED_SETTINGS):
        raise Conflict(
            f"votes depend on {' and '.join(FIXED_SETTINGS)}, which cannot change any more: create a new project"
        )


def _replace_questions(connection: Connection, row: Record, settings: ProjectSettings) -> None:
    """Replace the questions of a draft that has no items."""
    if connection.execute(select(items.c.id).where(items.c.project_id == row.id).limit(1)).first() is not None:
        raise Conflict(f"{' and '.join(FIXED_SETTINGS)} cannot change once there are items: create a new project")
    connection.execute(delete(questions).where(questions.c.project_id == row.id))
    _add_questions(connection, row.id, settings)


def _add_questions(connection: Connection, project_id: int, settings: ProjectSettings) -> None:
    rows = [
        {"project_id": project_id, "position": position, "name": question.name, "n_classes": len(question.classes)}
        for position, question in enumerate(settings.questions)
    ]
    connection.execute(insert(questions), rows)


def _dumped(settings: ProjectSettings, names: list[str]) -> dict[str, Any]:
    values = settings.model_dump(mode="json")
    return {name: values[name] for name in names}


def history(connection: Connection, project_id: int, *, before: int | None = None, limit: int = 100) -> list[Record]:
    """Return the audit log of a project, newest first."""
    query = select(events).where(events.c.project_id == project_id).order_by(events.c.id.desc()).limit(limit)
    return list(connection.execute(query if before is None else query.where(events.c.id < before)))
