"""Block and unblock voters: their leases end, and the tasks they voted on are decided again."""

from sqlalchemy import Connection, select, update

from quorate.service.audit_log import log
from quorate.service.decisions.decide import decide_tasks
from quorate.service.errors import Conflict
from quorate.service.projects import projects
from quorate.service.projects.plan import plan_of
from quorate.service.store.database import Record, Store
from quorate.service.store.tables import voters, votes
from quorate.service.work import leases
from quorate.service.workers.gold_checks import passes
from quorate.service.workers.voters import ACTIVE, BLOCKED, FAILED, NEW, get

TASKS_PER_TRANSACTION = 50


def block(store: Store, project_id: int, voter_id: int, actor: str) -> None:
    """Stop a voter from voting, end the leases, and decide without these votes.

    This takes two transactions: one alone would lock the voter before the tasks or after the project's money, and
    could deadlock with a vote in progress. If the second is lost, the leases time out.
    """
    with store.write() as connection:
        row = get(connection, project_id, voter_id)
        if row.state != BLOCKED:
            _set_state(connection, row, BLOCKED, actor, store.clock())
    with store.write() as connection:
        leases.release(connection, project_id, voter_id)
    decide_tasks_of(store, project_id, voter_id)


def decide_tasks_of(store: Store, project_id: int, voter_id: int) -> None:
    """Decide again on all tasks that a voter voted on, some at a time: these votes count no more, or count again."""
    last = 0
    while True:
        with store.write() as connection:
            voted = select(votes.c.task_id).where(votes.c.voter_id == voter_id, votes.c.task_id > last).distinct()
            task_ids = list(connection.execute(voted.order_by(votes.c.task_id).limit(TASKS_PER_TRANSACTION)).scalars())
            if not task_ids:
                return
            version = projects.get(connection, project_id).settings_version
            decide_tasks(connection, plan_of(connection, project_id, version), task_ids, store.clock())
        last = task_ids[-1]


def unblock(connection: Connection, project_id: int, voter_id: int, actor: str, now: float) -> None:
    """Let a voter vote again who was blocked by a person, or who failed checks under rules that are milder now."""
    row = get(connection, project_id, voter_id)
    rules = projects.parse_settings(projects.get(connection, project_id).settings).workers
    if row.state == FAILED and not passes(row.n_checked, row.n_right, rules):
        raise Conflict(
            f"the voter {row.code} failed {row.n_checked - row.n_right} of {row.n_checked} checks: "
            "lower the minimum accuracy of the project first"
        )
    if row.state in (BLOCKED, FAILED):
        _set_state(connection, row, ACTIVE if row.n_votes else NEW, actor, now)


def _set_state(connection: Connection, row: Record, state: str, actor: str, now: float) -> None:
    connection.execute(update(voters).where(voters.c.id == row.id).values(state=state))
    data = {"voter": row.code, "from": row.state, "to": state}
    log(connection, row.project_id, actor, "voter.state", data, now)
