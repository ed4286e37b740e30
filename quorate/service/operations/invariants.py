"""Invariants of the database: every stored total is compared with a recount."""

from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, FromClause, Select, Subquery, and_, func, select

from quorate.data.costs import EXPERT
from quorate.service.decisions.counted_votes import LEASED, PRACTICE
from quorate.service.store.tables import items, leases, projects, tallies, tasks, voters, votes


def broken_rules(connection: Connection) -> dict[str, int]:
    """Return the number of rows that break a rule, by rule. Within `Store.read`, all rules see the same snapshot."""
    by_people = projects.c.spent - projects.c.machine_spent
    by_item = projects.c.machine_spent - projects.c.machine_spent_earlier
    rules = {
        "tallies of tasks": _tallies(),
        "votes of tasks": _differ(tasks, tasks.c.n_votes, _votes_of_tasks()),
        "disputes of tasks": _disputes(),
        "leases of tasks": _differ(tasks, tasks.c.leased, _leases_of_tasks()),
        "votes of voters": _differ(voters, voters.c.n_votes, _votes_of_voters()),
        "pay of voters": _differ(voters, voters.c.earned, _sum_by(votes.c.voter_id, votes.c.price)),
        "money spent": _differ(projects, by_people, _sum_by(votes.c.project_id, votes.c.cost)),
        "money for the classifier": _differ(projects, by_item, _sum_by(items.c.project_id, items.c.machine_cost)),
        "money committed": _differ(projects, projects.c.committed, _sum_by(leases.c.project_id, leases.c.cost)),
        "budgets": select(projects.c.id).where(projects.c.spent + projects.c.committed > projects.c.money_limit),
        "nothing asked twice": select(leases.c.id).join(
            votes, and_(votes.c.task_id == leases.c.task_id, votes.c.voter_id == leases.c.voter_id)
        ),
    }
    count = select(func.count())
    return {rule: connection.scalar(count.select_from(query.subquery())) or 0 for rule, query in rules.items()}


def _differ(table: FromClause, stored: ColumnElement[Any], counted: Subquery) -> Select[Any]:
    """Select the rows of a table whose stored total differs from the recount; a missing count is 0."""
    joined = select(table.c.id).outerjoin_from(table, counted, counted.c.key == table.c.id)
    return joined.where(func.coalesce(counted.c.n, 0) != stored)


def _sum_by(key: Column[Any], amount: Column[Any]) -> Subquery:
    return select(key.label("key"), func.sum(amount).label("n")).group_by(key).subquery()


def _counted_votes() -> Subquery:
    """Select the votes that count by other SQL than `decisions.counted_votes`, so that a mistake there is noticed."""
    of_voter = votes.c.task_id, votes.c.voter_id
    last = select(*of_voter, func.max(votes.c.amendment).label("amendment")).group_by(*of_voter).subquery()
    query = select(votes.c.task_id, votes.c.label, voters.c.kind).join(voters, voters.c.id == votes.c.voter_id)
    query = query.join(last, and_(*(last.c[column.name] == column for column in (*of_voter, votes.c.amendment))))
    valid = votes.c.label.is_not(None), votes.c.purpose != PRACTICE, voters.c.state != "blocked"
    return query.where(*valid).subquery()


def _votes_of_tasks() -> Subquery:
    counted = _counted_votes()
    return select(counted.c.task_id.label("key"), func.count().label("n")).group_by(counted.c.task_id).subquery()


def _disputes() -> Select[Any]:
    """Select tasks that are marked as disputed and are not, or the reverse."""
    counted = _counted_votes()
    query = select(counted.c.task_id.label("key")).where(counted.c.kind != EXPERT).group_by(counted.c.task_id)
    differ = query.having(func.min(counted.c.label) != func.max(counted.c.label)).subquery()
    joined = select(tasks.c.id).outerjoin_from(tasks, differ, differ.c.key == tasks.c.id)
    return joined.where(tasks.c.disputed != differ.c.key.is_not(None))


def _leases_of_tasks() -> Subquery:
    query = select(leases.c.task_id.label("key"), func.count().label("n")).where(leases.c.purpose.in_(LEASED))
    return query.group_by(leases.c.task_id).subquery()


def _votes_of_voters() -> Subquery:
    """Count the tasks on which a voter ever named a class: an amendment adds one only after a skip."""
    query = select(votes.c.voter_id.label("key"), func.count(votes.c.task_id.distinct()).label("n"))
    query = query.where(votes.c.label.is_not(None), votes.c.purpose != PRACTICE)
    return query.group_by(votes.c.voter_id).subquery()


def _tallies() -> Select[Any]:
    """Select tallies that are wrong, and tasks that no tally counts."""
    counted = select(tasks.c.question_id, tasks.c.status, func.count().label("n"))
    counted_by = counted.group_by(tasks.c.question_id, tasks.c.status).subquery()
    same = and_(tallies.c.question_id == counted_by.c.question_id, tallies.c.status == counted_by.c.status)
    wrong = select(tallies.c.question_id).outerjoin_from(tallies, counted_by, same)
    missing = select(counted_by.c.question_id).outerjoin_from(counted_by, tallies, same)
    return wrong.where(func.coalesce(counted_by.c.n, 0) != tallies.c.n).union_all(  # type: ignore[return-value]
        missing.where(tallies.c.n.is_(None))
    )
