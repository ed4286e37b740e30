"""Checks of workers by items whose label is known. One that is ambiguous says nothing of a worker."""

from sqlalchemy import Connection, bindparam, case, func, select, update

from quorate.service.audit_log import log
from quorate.service.decisions.counted_votes import GOLD, is_last
from quorate.service.projects import projects
from quorate.service.projects.plan import Plan
from quorate.service.projects.settings import WorkerRules
from quorate.service.store.database import Record, Store
from quorate.service.store.tables import tasks, voters, votes

TOO_AMBIGUOUS = 0.9  # of tasks ranked from 0, the clearest, to 1
AT_ONCE = 50  # voters that are counted again in one transaction

_COUNT = (
    update(voters)
    .where(voters.c.id == bindparam("voter"))
    .values(n_checked=voters.c.n_checked + bindparam("checked"), n_right=voters.c.n_right + bindparam("right"))
    .returning(voters.c.n_checked, voters.c.n_right)
)


def is_fair(ambiguity: float | None) -> bool:
    """Whether a check counts, for accuracy and so for pay: not on the tenth of the items that are most ambiguous.

    >>> is_fair(None), is_fair(0.5), is_fair(0.95)
    (True, True, False)
    """
    return ambiguity is None or ambiguity < TOO_AMBIGUOUS


def is_check(task: Record) -> bool:
    """Whether an answer tells something of the worker: its label is still known, and the task is not ambiguous."""
    return task.gold is not None and is_fair(task.ambiguity)


def passes(n_checked: int, n_right: int, rules: WorkerRules) -> bool:
    """Whether a worker may go on, by the checks so far.

    >>> rules = WorkerRules(minimum_accuracy=0.6, checks=5)
    >>> passes(4, 0, rules), passes(5, 2, rules), passes(5, 3, rules)
    (True, False, True)
    """
    return n_checked < rules.checks or n_right >= rules.minimum_accuracy * n_checked


def count(connection: Connection, plan: Plan, voter: Record, checked: int, right: int, now: float) -> None:
    """Add to what is counted of a voter's checks, which may be less than nothing; who fails them gets no more."""
    counts = connection.execute(_COUNT, {"voter": voter.id, "checked": checked, "right": right}).one()
    fail_if_due(connection, plan, voter, counts, now)


def fail_if_due(connection: Connection, plan: Plan, voter: Record, counts: Record, now: float) -> None:
    """Let a worker vote no more whose checks are too often wrong. counts: n_checked and n_right as they are now."""
    if not passes(counts.n_checked, counts.n_right, plan.settings.workers):
        connection.execute(update(voters).where(voters.c.id == voter.id).values(state="failed"))
        data = {"voter": voter.code, "right": counts.n_right, "checked": counts.n_checked}
        log(connection, plan.id, "service", "voter.failed", data, now)


def recount(store: Store, project_id: int) -> int:
    """Count all checks again, once it is known which items are ambiguous; how many workers were let in again."""
    after, let_in = 0, 0
    while True:
        with store.write() as connection:
            rules = projects.parse_settings(projects.get(connection, project_id).settings).workers
            page = _page(connection, project_id, after)
            let_in += recount_of(connection, page, rules, store.clock())
        if len(page) < AT_ONCE:
            return let_in
        after = page[-1].id


def those_checked_by(connection: Connection, task_id: int) -> list[Record]:
    """Workers who answered a task as a check, locked."""
    answered = select(votes.c.voter_id).where(votes.c.task_id == task_id, votes.c.purpose == GOLD)
    found = select(voters).where(voters.c.id.in_(answered), voters.c.kind == "crowd")
    return list(connection.execute(found.order_by(voters.c.id).with_for_update()))


def _page(connection: Connection, project_id: int, after: int) -> list[Record]:
    """Voters, locked: a vote that is under way is counted before or after this, and never lost."""
    which = voters.c.project_id == project_id, voters.c.kind == "crowd", voters.c.id > after
    return list(connection.execute(select(voters).where(*which).order_by(voters.c.id).limit(AT_ONCE).with_for_update()))


def recount_of(connection: Connection, page: list[Record], rules: WorkerRules, now: float) -> int:
    """Count the checks of some workers again, whose rows are locked; how many were let in again."""
    counts, let_in = _counts(connection, [row.id for row in page]), 0
    for row in page:
        n_checked, n_right = counts.get(row.id, (0, 0))
        forgiven = row.state == "failed" and passes(n_checked, n_right, rules)
        if (n_checked, n_right) == (row.n_checked, row.n_right) and not forgiven:
            continue
        state = "active" if forgiven else row.state
        changed = update(voters).where(voters.c.id == row.id)
        connection.execute(changed.values(n_checked=n_checked, n_right=n_right, state=state))
        if forgiven:
            let_in += 1
            data = {"voter": row.code, "right": n_right, "checked": n_checked}
            log(connection, row.project_id, "service", "voter.passed", data, now)
    return let_in


def _counts(connection: Connection, voter_ids: list[int]) -> dict[int, tuple[int, int]]:
    fair = tasks.c.ambiguity.is_(None) | (tasks.c.ambiguity < TOO_AMBIGUOUS)
    right = func.sum(case((votes.c.label == tasks.c.gold, 1), else_=0))
    found = (
        select(votes.c.voter_id, func.count(), right)
        .join(tasks, tasks.c.id == votes.c.task_id)
        .where(votes.c.voter_id.in_(voter_ids), votes.c.purpose == GOLD, votes.c.label.is_not(None), fair, is_last())
        .where(tasks.c.gold.is_not(None))  # a label that was taken back checks nobody
        .group_by(votes.c.voter_id)
    )
    return {voter: (n, int(n_right)) for voter, n, n_right in connection.execute(found)}
