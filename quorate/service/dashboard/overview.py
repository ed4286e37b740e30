"""How a project stands, at a glance: what is decided and by whom, what was spent, what is promised."""

from typing import Any

from sqlalchemy import ColumnElement, Connection, func, select

from quorate.data.costs import CROWD, EXPERT
from quorate.service.money import from_money
from quorate.service.store.database import Record
from quorate.service.store.tables import leases, models, questions, tallies, tasks, voters

MOST_COUNTED = 10_000  # tasks that wait for somebody: how many more there are is not told


def overview(connection: Connection, row: Record) -> dict[str, Any]:
    """Counts and money of a project. row: of the project."""
    counts: dict[str, dict[str, int]] = {}
    found = (
        select(questions.c.name, tallies.c.status, tallies.c.n)
        .join(tallies, tallies.c.question_id == questions.c.id)
        .where(questions.c.project_id == row.id, tallies.c.n != 0)
        .order_by(questions.c.position, tallies.c.status)
    )
    for name, status, n in connection.execute(found):
        counts.setdefault(name, {})[status] = n
    people = connection.execute(
        select(func.count(), func.coalesce(func.sum(voters.c.n_votes), 0)).where(voters.c.project_id == row.id)
    ).one()
    held = connection.execute(select(func.count()).where(leases.c.project_id == row.id)).scalar_one()
    return {
        "id": row.id,
        "name": row.name,
        "state": row.state,
        "created_at": row.created_at,
        "tasks": counts,
        "voters": people[0],
        "votes": people[1],
        "leases": held,
        "waiting": {
            CROWD: _waiting(connection, row.id, tasks.c.ask != EXPERT),
            EXPERT: _waiting(connection, row.id, tasks.c.ask == EXPERT),
        },
        "spent": from_money(row.spent),
        "machine_spent": from_money(row.machine_spent),
        "committed": from_money(row.committed),
        "limit": None if row.money_limit is None else from_money(row.money_limit),
        "models": model_versions(connection, row.id),
    }


def _waiting(connection: Connection, project_id: int, whom: ColumnElement[bool]) -> int:
    """How many tasks ask for somebody who has not come yet."""
    found = select(tasks.c.id).where(tasks.c.project_id == project_id, whom, tasks.c.room > 0).limit(MOST_COUNTED)
    return connection.execute(select(func.count()).select_from(found.subquery())).scalar_one()


def standing_of_all(connection: Connection) -> dict[int, dict[str, int]]:
    """How many tasks of each project stand how, all questions together; projects without tasks are left out."""
    found = (
        select(questions.c.project_id, tallies.c.status, func.sum(tallies.c.n).label("n"))
        .join(tallies, tallies.c.question_id == questions.c.id)
        .where(tallies.c.n != 0)
        .group_by(questions.c.project_id, tallies.c.status)
    )
    counts: dict[int, dict[str, int]] = {}
    for project_id, status, n in connection.execute(found):
        counts.setdefault(project_id, {})[status] = int(n)
    return counts


def model_versions(connection: Connection, project_id: int) -> dict[str, dict[str, Any]]:
    """The model in use for each question: its version, age and metrics."""
    found = (
        select(questions.c.name, models.c.version, models.c.created_at, models.c.n_votes, models.c.metrics)
        .join(models, models.c.id == questions.c.model_id)
        .where(questions.c.project_id == project_id)
        .order_by(questions.c.position)
    )
    return {
        row.name: {
            "version": row.version,
            "created_at": row.created_at,
            "n_votes": row.n_votes,
            "metrics": row.metrics,
        }
        for row in connection.execute(found)
    }
