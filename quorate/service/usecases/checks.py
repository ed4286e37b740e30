"""Checks of workers by items whose label is known. One that is ambiguous says nothing of a worker."""

from sqlalchemy import Connection, case, func, select, update

from quorate.service.project_settings import WorkerRules
from quorate.service.store.database import Record, Store
from quorate.service.store.tables import tasks, voters, votes
from quorate.service.usecases import projects
from quorate.service.usecases.log import log

TOO_AMBIGUOUS = 0.9  # of tasks ranked from 0, the clearest, to 1
AT_ONCE = 50  # voters that are counted again in one transaction


def is_fair(ambiguity: float | None) -> bool:
    """Whether a check counts, for accuracy and so for pay: not on the tenth of the items that are most ambiguous.

    >>> is_fair(None), is_fair(0.5), is_fair(0.95)
    (True, True, False)
    """
    return ambiguity is None or ambiguity < TOO_AMBIGUOUS


def passes(n_checked: int, n_right: int, rules: WorkerRules) -> bool:
    """Whether a worker may go on, by the checks so far.

    >>> rules = WorkerRules(minimum_accuracy=0.6, checks=5)
    >>> passes(4, 0, rules), passes(5, 2, rules), passes(5, 3, rules)
    (True, False, True)
    """
    return n_checked < rules.checks or n_right >= rules.minimum_accuracy * n_checked


def recount(store: Store, project_id: int) -> int:
    """Count all checks again, once it is known which items are ambiguous; how many workers were let in again."""
    after, let_in = 0, 0
    while True:
        with store.write() as connection:
            rules = projects.parse_settings(projects.get(connection, project_id).settings).workers
            page = _page(connection, project_id, after)
            let_in += _recount(connection, page, rules, store.clock())
        if len(page) < AT_ONCE:
            return let_in
        after = page[-1].id


def _page(connection: Connection, project_id: int, after: int) -> list[Record]:
    """Voters, locked: a vote that is under way is counted before or after this, and never lost."""
    which = voters.c.project_id == project_id, voters.c.kind == "crowd", voters.c.id > after
    return list(connection.execute(select(voters).where(*which).order_by(voters.c.id).limit(AT_ONCE).with_for_update()))


def _recount(connection: Connection, page: list[Record], rules: WorkerRules, now: float) -> int:
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
        .where(votes.c.voter_id.in_(voter_ids), votes.c.purpose == "gold", votes.c.label.is_not(None), fair)
        .group_by(votes.c.voter_id)
    )
    return {voter: (n, int(n_right)) for voter, n, n_right in connection.execute(found)}
