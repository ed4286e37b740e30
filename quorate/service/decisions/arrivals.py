"""Items that arrive while a project is at work: their tasks are decided on at once, so that votes can be asked for."""

from collections.abc import Sequence

from sqlalchemy import Connection, select

from quorate.service.decisions.activation import first_votes_wanted
from quorate.service.decisions.decide import decide_rows
from quorate.service.decisions.evidence import TASK_COLUMNS
from quorate.service.decisions.task_state import WAITING
from quorate.service.projects import projects
from quorate.service.projects.plan import plan_of
from quorate.service.store.database import Store
from quorate.service.store.tables import tasks

OPENED = 250  # tasks that are decided on in one transaction


def open_arrivals(store: Store, project_id: int, task_ids: Sequence[int]) -> None:
    """Have new tasks decided on, some at a time. Should the service end before, `open_waiting` finds them later."""
    for start in range(0, len(task_ids), OPENED):
        with store.write() as connection:
            opened(connection, project_id, task_ids[start : start + OPENED], store.clock())


def opened(connection: Connection, project_id: int, task_ids: Sequence[int], now: float) -> None:
    """Decide on new tasks that are in play. While first votes are wanted elsewhere, they wait with all others."""
    row = projects.get(connection, project_id)
    if row.state not in projects.AT_WORK or first_votes_wanted(connection, project_id):
        return
    in_play = tasks.c.id.in_(task_ids), tasks.c.status == WAITING, tasks.c.draw <= row.open_draw
    waiting = connection.execute(select(*TASK_COLUMNS).where(*in_play).order_by(tasks.c.id).with_for_update()).all()
    if waiting:
        decide_rows(connection, plan_of(connection, project_id, row.settings_version), waiting, now)
