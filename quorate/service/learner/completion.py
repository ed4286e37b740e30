"""Completion of a project: all tasks are decided, none is leased, and no audit is open."""

from sqlalchemy import Connection, and_, or_, select

from quorate.data.costs import EXPERT
from quorate.service.decisions.evidence import has_experts
from quorate.service.decisions.task_state import ASKING, WAITING
from quorate.service.projects.plan import plan_of
from quorate.service.projects.projects import AT_WORK, DONE, ESTIMATE, PILOT, get, set_state
from quorate.service.refit.inputs import affordable
from quorate.service.store.database import Record, Store
from quorate.service.store.tables import leases, projects, tasks
from quorate.service.webhooks.events import PROJECT_COMPLETED, announce
from quorate.service.work.leases import sweep

ACTOR = "learner"


def all_decided(connection: Connection, project_id: int) -> bool:
    """Return whether a project has active tasks and all of them are decided."""
    row = get(connection, project_id)
    questions = plan_of(connection, row.id, row.settings_version).questions
    is_own, is_active = tasks.c.question_id.in_(list(questions)), tasks.c.draw <= row.open_draw
    if connection.execute(select(tasks.c.id).where(is_own, is_active).limit(1)).first() is None:
        return False
    undecided = or_(tasks.c.status == ASKING, and_(tasks.c.status == WAITING, is_active))
    return connection.execute(select(tasks.c.id).where(is_own, undecided).limit(1)).first() is None


def complete_if_finished(store: Store, project_id: int) -> bool:
    """Complete a project that has no work left; return whether it was.

    A pilot moves on to its estimate, a project without end (`endless`) stays open, all others are done.
    """
    now = store.clock()
    with store.write() as connection:
        row = get(connection, project_id, lock=True)
        if row.state not in AT_WORK:
            return False
        sweep(connection, project_id, now)
        row = get(connection, project_id)
        if not all_decided(connection, project_id) or _has_open_work(connection, row):
            return False
        if row.state != PILOT and plan_of(connection, project_id, row.settings_version).settings.endless:
            return False
        state = ESTIMATE if row.state == PILOT else DONE
        set_state(connection, row, state, ACTOR, now)
        if state == DONE:
            data = {"project": project_id, "name": row.name, "spent": row.spent / 1e6}
            announce(connection, project_id, PROJECT_COMPLETED, data, now)
        return True


def _has_open_work(connection: Connection, row: Record) -> bool:
    """Return whether a task is leased, or waits for an expert who exists and can be paid."""
    leased = select(leases.c.id).where(leases.c.project_id == row.id).limit(1)
    if connection.execute(leased).first() is not None:
        return True
    plan = plan_of(connection, row.id, row.settings_version)
    waiting = select(tasks.c.id).where(tasks.c.project_id == row.id, tasks.c.ask == EXPERT, tasks.c.room > 0).limit(1)
    if connection.execute(waiting).first() is None or not has_experts(connection, plan):
        return False
    question = next(iter(plan.questions.values()))
    return bool(affordable(plan, question, row)[question.policy.prices.kinds.index(EXPERT)])


def release_expired_leases(store: Store) -> None:
    """Release expired leases in all projects, also in those where nobody asks for work any more."""
    now = store.clock()
    with store.read() as connection:
        expired = select(leases.c.project_id).where(leases.c.expires_at <= now).distinct()
        project_ids = list(connection.execute(select(projects.c.id).where(projects.c.id.in_(expired))).scalars())
    for project_id in project_ids:
        with store.write() as connection:
            sweep(connection, project_id, now)
