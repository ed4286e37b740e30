"""Checks of workers on tasks with a gold label. An answer to an ambiguous task says nothing about a worker."""

from sqlalchemy import Connection, bindparam, case, func, select, update

from quorate.service.audit_log import log
from quorate.service.decisions.counted_votes import GOLD, is_last
from quorate.service.projects import projects
from quorate.service.projects.plan import Plan
from quorate.service.projects.settings import WorkerRules
from quorate.service.store.database import Record, Store
from quorate.service.store.tables import tasks, voters, votes

TOO_AMBIGUOUS = 0.9  # of tasks ranked from 0, the clearest, to 1
VOTERS_PER_TRANSACTION = 50  # when all checks are counted again

_COUNT = (
    update(voters)
    .where(voters.c.id == bindparam("voter"))
    .values(n_checked=voters.c.n_checked + bindparam("checked"), n_right=voters.c.n_right + bindparam("right"))
    .returning(voters.c.n_checked, voters.c.n_right)
)


def is_fair(ambiguity: float | None) -> bool:
    """Return whether a check counts for accuracy, and so for pay: not on the most ambiguous tenth of the items.

    >>> is_fair(None), is_fair(0.5), is_fair(0.95)
    (True, True, False)
    """
    return ambiguity is None or ambiguity < TOO_AMBIGUOUS


def is_check(task: Record) -> bool:
    """Return whether a task can check a worker: it still has a gold label, and is not ambiguous."""
    return task.gold is not None and is_fair(task.ambiguity)


def passes(n_checked: int, n_right: int, rules: WorkerRules) -> bool:
    """Return whether a worker may go on after the checks so far.

    >>> rules = WorkerRules(minimum_accuracy=0.6, checks=5)
    >>> passes(4, 0, rules), passes(5, 2, rules), passes(5, 3, rules)
    (True, False, True)
    """
    return n_checked < rules.checks or n_right >= rules.minimum_accuracy * n_checked


def count(connection: Connection, plan: Plan, voter: Record, checked: int, right: int, now: float) -> None:
    """Add to the counts of a voter's checks, or subtract; a voter who fails them can vote no more."""
    counts = connection.execute(_COUNT, {"voter": voter.id, "checked": checked, "right": right}).one()
    fail_if_due(connection, plan, voter, counts, now)


def fail_if_due(connection: Connection, plan: Plan, voter: Record, counts: Record, now: float) -> None:
    """Stop a worker who fails too many checks from voting. counts: n_checked and n_right as they are now."""
    if not passes(counts.n_checked, counts.n_right, plan.settings.workers):
        connection.execute(update(voters).where(voters.c.id == voter.id).values(state="failed"))
        data = {"voter": voter.code, "right": counts.n_right, "checked": counts.n_checked}
        log(connection, plan.id, "service", "voter.failed", data, now)


def recount(store: Store, project_id: int) -> int:
    """Count all checks again once the ambiguity of items is known; return how many workers may vote again."""
    after, n_passed = 0, 0
    while True:
        with store.write() as connection:
            rules = projects.parse_settings(projects.get(connection, project_id).settings).workers
            page = _page(connection, project_id, after)
            n_passed += recount_voters(connection, page, rules, store.clock())
        if len(page) < VOTERS_PER_TRANSACTION:
            return n_passed
        after = page[-1].id


def lock_checked_by(connection: Connection, task_id: int) -> list[Record]:
    """Lock and return the workers who answered a task as a check."""
    answered = select(votes.c.voter_id).where(votes.c.task_id == task_id, votes.c.purpose == GOLD)
    query = select(voters).where(voters.c.id.in_(answered), voters.c.kind == "crowd")
    return list(connection.execute(query.order_by(voters.c.id).with_for_update()))


def _page(connection: Connection, project_id: int, after: int) -> list[Record]:
    """Lock and return the next voters: a vote in progress is counted before or after this, and never lost."""
    query = select(voters).where(voters.c.project_id == project_id, voters.c.kind == "crowd", voters.c.id > after)
    return list(connection.execute(query.order_by(voters.c.id).limit(VOTERS_PER_TRANSACTION).with_for_update()))


def recount_voters(connection: Connection, page: list[Record], rules: WorkerRules, now: float) -> int:
    """Count the checks of workers again, whose rows are locked; return how many may vote again."""
    counts, n_passed = _counts(connection, [row.id for row in page]), 0
    for row in page:
        n_checked, n_right = counts.get(row.id, (0, 0))
        passes_now = row.state == "failed" and passes(n_checked, n_right, rules)
        if (n_checked, n_right) == (row.n_checked, row.n_right) and not passes_now:
            continue
        state = "active" if passes_now else row.state
        changed = update(voters).where(voters.c.id == row.id)
        connection.execute(changed.values(n_checked=n_checked, n_right=n_right, state=state))
        if passes_now:
            n_passed += 1
            data = {"voter": row.code, "right": n_right, "checked": n_checked}
            log(connection, row.project_id, "service", "voter.passed", data, now)
    return n_passed


def _counts(connection: Connection, voter_ids: list[int]) -> dict[int, tuple[int, int]]:
    fair = tasks.c.ambiguity.is_(None) | (tasks.c.ambiguity < TOO_AMBIGUOUS)
    right = func.sum(case((votes.c.label == tasks.c.gold, 1), else_=0))
    query = (
        select(votes.c.voter_id, func.count(), right)
        .join(tasks, tasks.c.id == votes.c.task_id)
        .where(votes.c.voter_id.in_(voter_ids), votes.c.purpose == GOLD, votes.c.label.is_not(None), fair, is_last())
        .where(tasks.c.gold.is_not(None))  # a gold label that was withdrawn checks nobody
        .group_by(votes.c.voter_id)
    )
    return {voter: (n, int(n_right)) for voter, n, n_right in connection.execute(query)}
