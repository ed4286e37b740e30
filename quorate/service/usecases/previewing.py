"""What other settings would do to what is decided: shown before they are put in force."""

from collections import Counter
from dataclasses import dataclass

from sqlalchemy import Connection, select

from quorate.service.project_settings import ProjectSettings
from quorate.service.store.database import Record, Store
from quorate.service.store.tables import tasks
from quorate.service.usecases import projects
from quorate.service.usecases.evidence import TASK_COLUMNS
from quorate.service.usecases.fitted import in_use
from quorate.service.usecases.projects import Asked, Plan, plan_of
from quorate.service.usecases.screening import standings_of_items
from quorate.service.usecases.standing import DECIDED, WAITING
from quorate.service.usecases.tasks import has_experts, standings_of

CHUNK = 2_000


@dataclass(frozen=True)
class Effect:
    """How many tasks would re-open, close, or get another label."""

    reopened: int
    closed: int
    relabelled: int


def preview(store: Store, project_id: int, settings: ProjectSettings) -> Effect:
    """Decide on all tasks in play by the model in use and other settings, and write nothing."""
    found: Counter[str] = Counter()
    with store.read() as connection:
        row = projects.get(connection, project_id)
        plan = plan_of(connection, project_id, row.settings_version)
        other = _other(plan, settings)
        last = 0
        while rows := _chunk(connection, project_id, last):
            last = rows[-1].item_id
            found += _changes(connection, other, rows)
    return Effect(found["reopened"], found["closed"], found["relabelled"])


def effect_if_open(store: Store, project_id: int, settings: ProjectSettings) -> dict[str, int]:
    """The effect of new settings on a project that has been put to work; nothing to tell of a draft."""
    with store.read() as connection:
        row = projects.get(connection, project_id)
    if row.state == projects.DRAFT:
        return {}
    projects.require_same_questions(row, settings)
    return vars(preview(store, project_id, settings))


def _other(plan: Plan, settings: ProjectSettings) -> Plan:
    """The plan as it would be."""
    asked = {
        number: Asked(number, one.position, question, settings.policy_for(question))
        for number, one in plan.asked.items()
        for question in [settings.questions[one.position]]
    }
    return Plan(plan.id, plan.version, settings, asked)


def _chunk(connection: Connection, project_id: int, last: int) -> list[Record]:
    """All tasks of the next items."""
    found = (
        select(*TASK_COLUMNS)
        .where(tasks.c.project_id == project_id, tasks.c.item_id > last)
        .order_by(tasks.c.item_id, tasks.c.id)
        .limit(CHUNK + 1)
    )
    rows = list(connection.execute(found))
    if len(rows) <= CHUNK:
        return rows
    whole = [row for row in rows if row.item_id != rows[-1].item_id]  # the last item may be cut in two
    return whole or rows


def _changes(connection: Connection, plan: Plan, rows: list[Record]) -> Counter[str]:
    rows = [row for row in rows if row.status != WAITING or plan.is_screening]
    if plan.is_screening:
        models = {number: in_use(connection, number) for number in plan.asked}
        if None in models.values() or not rows:
            return Counter()
        stands = standings_of_items(connection, plan, rows, models)
        pairs = [(row, stands[row.id]) for row in rows]
    else:
        experts = has_experts(connection, plan)
        pairs = []
        for number, asked in plan.asked.items():
            own = [row for row in rows if row.question_id == number]
            fitted = in_use(connection, number)
            if own and fitted is not None:
                stood = standings_of(connection, plan, asked, fitted, own, experts=experts)
                pairs += list(zip(own, stood, strict=True))
    found: Counter[str] = Counter()
    for row, stand in pairs:
        before, after = row.status in DECIDED, stand.status in DECIDED
        found["reopened"] += before and not after
        found["closed"] += after and not before
        found["relabelled"] += before and after and row.label != stand.label
    return found
