"""Opening tasks: the first model and the first votes of a project, and new tasks that arrive while it is at work."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from sqlalchemy import ColumnElement, Connection, Select, func, select, update

from quorate.data.costs import CROWD
from quorate.data.ids import as_names
from quorate.data.votes import Votes
from quorate.service.decisions.decide import decide_rows
from quorate.service.decisions.evidence import TASK_COLUMNS
from quorate.service.decisions.model_versions import current_model, publish_model
from quorate.service.decisions.task_state import ASKING, FIRST, FIRST_VOTES, WAITING
from quorate.service.projects import projects as project_cases
from quorate.service.projects import timeline as points
from quorate.service.projects.plan import Plan, QuestionPlan, plan_of
from quorate.service.projects.projects import PILOT
from quorate.service.projects.settings import ProjectSettings
from quorate.service.store.database import Record, Store
from quorate.service.store.tables import projects, tasks
from quorate.service.store.tallies import add_to_tallies, write_tallies

CHUNK, MAX_OPENED = 500, 2_000  # tasks that are opened in one transaction, and before a start returns
ARRIVALS_CHUNK = 250  # new tasks that are decided on in one transaction


def move(store: Store, project_id: int, state: str, actor: str) -> None:
    """Bring a project into another state; a project that goes to work is opened."""
    if state in project_cases.AT_WORK:
        start(store, project_id, state, actor)
        return
    with store.write() as connection:
        row = project_cases.get(connection, project_id, lock=True)
        project_cases.set_state(connection, row, state, actor, store.clock())


def start(store: Store, project_id: int, state: str, actor: str) -> None:
    """Start a project, as a pilot or in full: from now on votes are asked for."""
    with store.write() as connection:
        row = project_cases.get(connection, project_id, lock=True)
        project_cases.set_state(connection, row, state, actor, store.clock())
        reach = _reach(connection, row, state)
        connection.execute(update(projects).where(projects.c.id == project_id).values(open_draw=reach, estimate=None))
        plan = plan_of(connection, project_id, row.settings_version)
        for asked in plan.questions.values():
            _begin(connection, plan, asked, reach, store.clock())
        if points.last_point(connection, project_id) is None:  # curves begin where nothing is decided yet
            write_tallies(connection)  # the point is read from them
            points.add_point(
                connection, project_id, points.count_project(connection, project_id), None, None, store.clock()
            )
    open_waiting(store, project_id)


def open_waiting(store: Store, project_id: int) -> None:
    """Decide on the first active tasks that were never decided on, so that voters have work at once.

    The learner decides on the others. In a project with a classifier it decides on all of them, after its predictions.
    """
    last: int | None = 0
    for _ in range(0, MAX_OPENED, CHUNK):
        with store.write() as connection:
            row = project_cases.get(connection, project_id)
            plan = plan_of(connection, project_id, row.settings_version)
            if any((model := current_model(connection, asked)) and model.machine for asked in plan.questions):
                return
            last = _decide_waiting(connection, row, tasks.c.id > last, CHUNK, store.clock())
        if last is None:
            return


def open_arrivals(store: Store, project_id: int, task_ids: Sequence[int]) -> None:
    """Decide on new tasks, some at a time. Should the service end before, `open_waiting` finds them later."""
    for first in range(0, len(task_ids), ARRIVALS_CHUNK):
        with store.write() as connection:
            open_tasks(connection, project_id, task_ids[first : first + ARRIVALS_CHUNK], store.clock())


def open_tasks(connection: Connection, project_id: int, task_ids: Sequence[int], now: float) -> None:
    """Decide on new tasks that are in play, if the project is at work."""
    row = project_cases.get(connection, project_id)
    _decide_waiting(connection, row, tasks.c.id.in_(task_ids), len(task_ids), now)


def _decide_waiting(
    connection: Connection, row: Record, chosen: ColumnElement[bool], limit: int, now: float
) -> int | None:
    """Decide on waiting tasks of a project, and return the id of the last; None = there were none.

    Nothing is decided while the project rests, or while first votes are wanted elsewhere.

    Args:
        connection: a transaction.
        row: the row of the project.
        chosen: which of its tasks in play.
        limit: the number of tasks, at most.
        now: the time.
    """
    if row.state not in project_cases.AT_WORK or first_votes_wanted(connection, row.id):
        return None
    waiting = connection.execute(_waiting(row.id, row.open_draw).where(chosen).limit(limit)).all()
    if not waiting:
        return None
    decide_rows(connection, plan_of(connection, row.id, row.settings_version), waiting, now)
    return int(waiting[-1].id)


def open_more(connection: Connection, plan: Plan, n: int, at: float) -> bool:
    """Open some tasks for a voter who has given all first votes that one person can; return whether there are any.

    Not while others are giving first votes: the model that is fitted then asks better.
    """
    if not first_votes_wanted(connection, plan.id) or first_votes_wanted(connection, plan.id, in_hand=True):
        return False
    reach = project_cases.get(connection, plan.id).open_draw
    waiting = connection.execute(_waiting(plan.id, reach).limit(n)).all()
    if waiting:
        decide_rows(connection, plan, waiting, at)
    return bool(waiting)


def first_votes_wanted(connection: Connection, project_id: int, *, in_hand: bool = False) -> bool:
    """Return whether tasks lack votes that are wanted before anything is decided. in_hand: only those being given."""
    lacking = (
        select(tasks.c.id)
        .where(tasks.c.project_id == project_id, tasks.c.least_votes > tasks.c.n_votes, tasks.c.status == ASKING)
        .where(tasks.c.wish.is_(None))  # a wish for one item keeps no others waiting
        .limit(1)
    )
    return connection.execute(lacking.where(tasks.c.leased > 0) if in_hand else lacking).first() is not None


def _waiting(project_id: int, reach: float) -> Select[Any]:
    return (
        select(*TASK_COLUMNS)
        .where(tasks.c.project_id == project_id, tasks.c.status == WAITING, tasks.c.draw <= reach)
        .order_by(tasks.c.id)
        .with_for_update()
    )


def _reach(connection: Connection, row: Record, state: str) -> float:
    """Return the draw up to which items are in play: of all items, or of those of the pilot."""
    if state != PILOT:
        return 1.0
    n = ProjectSettings.model_validate(row.settings).pilot.items
    question = select(func.min(tasks.c.question_id)).where(tasks.c.project_id == row.id).scalar_subquery()
    drawn = select(tasks.c.draw).where(tasks.c.question_id == question).order_by(tasks.c.draw).offset(n - 1).limit(1)
    reach = connection.execute(drawn).scalar()
    return 1.0 if reach is None else float(reach)


def _begin(connection: Connection, plan: Plan, asked: QuestionPlan, reach: float, now: float) -> None:
    """Publish the first model of a question, fitted without votes, and ask for the first votes its policy wants."""
    if current_model(connection, asked.id) is not None:
        return
    nothing = np.zeros(0, dtype=np.int64)
    names = as_names(list(asked.question.class_names))
    none = Votes(task=nothing, worker=nothing, label=nothing, tasks=as_names([]), workers=as_names([]), classes=names)
    publish_model(
        connection,
        asked.id,
        asked.policy.fit(none, {}, np.zeros(0, dtype=np.int64)),
        n_votes=0,
        machine=None,
        metrics={"n_votes": 0},
        at=now,
    )
    in_play = tasks.c.question_id == asked.id, tasks.c.status == WAITING, tasks.c.draw <= reach
    n_tasks = connection.execute(select(func.count()).where(*in_play)).scalar_one()
    first = asked.policy.warm_up(n_tasks, {})
    if CROWD not in asked.policy.prices.kinds or not first.tasks or not first.votes:
        return
    drawn = select(tasks.c.id).where(*in_play).order_by(tasks.c.draw).limit(first.tasks)
    opened = connection.execute(
        update(tasks)
        .where(tasks.c.id.in_(drawn))
        .values(
            status=ASKING,
            ask=CROWD,
            wanted=first.votes,
            least_votes=first.votes,
            priority=FIRST,
            reason=FIRST_VOTES,
        )
    ).rowcount
    add_to_tallies(connection, Counter({(asked.id, WAITING): -opened, (asked.id, ASKING): opened}))
