"""The end of a project: nobody is asked any more, nobody holds a task, and nothing is left to audit."""

from collections.abc import Sequence

from sqlalchemy import Connection, and_, or_, select

from quorate.data.costs import EXPERT
from quorate.service.decisions.evidence import has_experts
from quorate.service.decisions.task_state import ASKING, WAITING
from quorate.service.projects import projects as project_cases
from quorate.service.projects.plan import plan_of
from quorate.service.projects.projects import DONE, ESTIMATE, PILOT
from quorate.service.refit.inputs import affordable
from quorate.service.store.database import Record, Store
from quorate.service.store.tables import leases, projects, tasks
from quorate.service.webhooks.events import PROJECT_COMPLETED, announce
from quorate.service.work.leases import sweep

ACTOR = "learner"


def nobody_asks(connection: Connection, project_id: int) -> bool:
    """Whether all tasks in play are decided, and there are any."""
    row = project_cases.get(connection, project_id)
    in_play = tasks.c.question_id.in_(_questions(connection, row))
    some = select(tasks.c.id).where(in_play, tasks.c.draw <= row.open_draw).limit(1)
    undecided = or_(tasks.c.status == ASKING, and_(tasks.c.status == WAITING, tasks.c.draw <= row.open_draw))
    if connection.execute(some).first() is None:
        return False
    return connection.execute(select(tasks.c.id).where(in_play, undecided).limit(1)).first() is None


def end_if_over(store: Store, project_id: int) -> bool:
    """Close a project that has come to its end: a pilot is ready to be looked at, others are done."""
    now = store.clock()
    with store.write() as connection:
        row = project_cases.get(connection, project_id, lock=True)
        if row.state not in project_cases.AT_WORK:
            return False
        sweep(connection, project_id, now)
        row = project_cases.get(connection, project_id)
        if not nobody_asks(connection, project_id) or _pending(connection, row):
            return False
        if row.state != PILOT and plan_of(connection, project_id, row.settings_version).settings.endless:
            return False
        state = ESTIMATE if row.state == PILOT else DONE
        project_cases.set_state(connection, row, state, ACTOR, now)
        if state == DONE:
            data = {"project": project_id, "name": row.name, "spent": row.spent / 1e6}
            announce(connection, project_id, PROJECT_COMPLETED, data, now)
        return True


def _pending(connection: Connection, row: Record) -> bool:
    """Whether somebody holds a task, or an expert is still to look at some again, and can be paid."""
    held = select(leases.c.id).where(leases.c.project_id == row.id).limit(1)
    if connection.execute(held).first() is not None:
        return True
    plan = plan_of(connection, row.id, row.settings_version)
    wanted = select(tasks.c.id).where(tasks.c.project_id == row.id, tasks.c.ask == EXPERT, tasks.c.room > 0).limit(1)
    if connection.execute(wanted).first() is None or not has_experts(connection, plan):
        return False
    asked = next(iter(plan.questions.values()))
    return bool(affordable(plan, asked, row)[asked.policy.prices.kinds.index(EXPERT)])


def _questions(connection: Connection, row: Record) -> Sequence[int]:
    return list(plan_of(connection, row.id, row.settings_version).questions)


def sweep_all(store: Store) -> None:
    """End leases that have timed out in all projects, also where nobody asks for work any more."""
    now = store.clock()
    with store.read() as connection:
        late = select(leases.c.project_id).where(leases.c.expires_at <= now).distinct()
        found = list(connection.execute(select(projects.c.id).where(projects.c.id.in_(late))).scalars())
    for project_id in found:
        with store.write() as connection:
            sweep(connection, project_id, now)
