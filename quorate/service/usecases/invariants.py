"""What must always hold, counted again from the votes and leases themselves: for `quorate doctor` and the tests."""

from collections.abc import Iterator

from sqlalchemy import Connection, Subquery, Table, and_, case, func, select

from quorate.service.store.tables import leases, projects, tallies, tasks, voters, votes
from quorate.service.usecases.evidence import AUDIT, PRACTICE, WORK

SHOWN = 5  # rows that are told of each fault


def broken(connection: Connection) -> list[str]:
    """One line for each thing that does not hold; nothing, in a sound database."""
    checks = (_tallies, _leases, _votes, _money, _twice)
    return [line for check in checks for line in check(connection)]


def _tallies(connection: Connection) -> Iterator[str]:
    counted = {
        (row.question_id, row.status): row.n
        for row in connection.execute(
            select(tasks.c.question_id, tasks.c.status, func.count().label("n")).group_by(
                tasks.c.question_id, tasks.c.status
            )
        )
    }
    kept = {(row.question_id, row.status): row.n for row in connection.execute(select(tallies)) if row.n}
    for key in sorted(counted.keys() | kept.keys()):
        if counted.get(key, 0) != kept.get(key, 0):
            there, told = counted.get(key, 0), kept.get(key, 0)
            yield f"question {key[0]} has {there} tasks that are {key[1]}, its tally says {told}"


def _leases(connection: Connection) -> Iterator[str]:
    """A task counts the leases that stand for votes to come."""
    live = (
        select(leases.c.task_id, func.count().label("n"))
        .where(leases.c.purpose.in_((WORK, AUDIT)))
        .group_by(leases.c.task_id)
        .subquery()
    )
    n = func.coalesce(live.c.n, 0)
    found = select(tasks.c.id, tasks.c.leased, n.label("n")).outerjoin(live, live.c.task_id == tasks.c.id)
    for row in connection.execute(found.where(tasks.c.leased != n).limit(SHOWN)):
        yield f"task {row.id} counts {row.leased} leases, there are {row.n}"


def _votes(connection: Connection) -> Iterator[str]:
    """A task counts the last vote of every voter who is not blocked, if it names a class."""
    later = votes.alias()
    last = ~(
        select(later.c.id)
        .where(
            later.c.task_id == votes.c.task_id,
            later.c.voter_id == votes.c.voter_id,
            later.c.amendment > votes.c.amendment,
        )
        .exists()
    )
    counted = (
        select(votes.c.task_id, func.count().label("n"))
        .join(voters, voters.c.id == votes.c.voter_id)
        .where(votes.c.label.is_not(None), votes.c.purpose != PRACTICE, voters.c.state != "blocked", last)
        .group_by(votes.c.task_id)
        .subquery()
    )
    n = func.coalesce(counted.c.n, 0)
    found = select(tasks.c.id, tasks.c.n_votes, n.label("n")).outerjoin(counted, counted.c.task_id == tasks.c.id)
    for row in connection.execute(found.where(tasks.c.n_votes != n).limit(SHOWN)):
        yield f"task {row.id} counts {row.n_votes} votes, there are {row.n}"


def _money(connection: Connection) -> Iterator[str]:
    """What is spent is the sum of what votes cost, what is promised that of leases, and the budget holds."""
    paid = _sum(votes)
    promised = _sum(leases)
    found = (
        select(
            projects.c.id,
            projects.c.spent,
            projects.c.committed,
            projects.c.machine_spent,
            func.coalesce(paid.c.cost, 0).label("paid"),
            func.coalesce(promised.c.cost, 0).label("promised"),
            case((projects.c.spent + projects.c.committed > projects.c.money_limit, 1), else_=0).label("over"),
        )
        .outerjoin(paid, paid.c.project_id == projects.c.id)
        .outerjoin(promised, promised.c.project_id == projects.c.id)
    )
    for row in connection.execute(found):
        cost = row.paid + row.machine_spent
        if row.spent != cost:
            yield f"project {row.id} says {row.spent} is spent, its votes and its machine cost {cost}"
        if row.committed != row.promised:
            yield f"project {row.id} says {row.committed} is promised, its leases cost {row.promised}"
        if row.over:
            yield f"project {row.id} has gone over its budget"


def _sum(table: Table) -> Subquery:
    return select(table.c.project_id, func.sum(table.c.cost).label("cost")).group_by(table.c.project_id).subquery()


def _twice(connection: Connection) -> Iterator[str]:
    """Nobody holds a task that they have voted on."""
    found = (
        select(leases.c.task_id, leases.c.voter_id)
        .join(votes, and_(votes.c.task_id == leases.c.task_id, votes.c.voter_id == leases.c.voter_id))
        .limit(SHOWN)
    )
    for row in connection.execute(found):
        yield f"voter {row.voter_id} holds task {row.task_id} again, having voted on it"
