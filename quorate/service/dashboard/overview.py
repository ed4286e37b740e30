"""Counts of a project: its tasks by status, its votes, the money spent and committed, and its models."""

from typing import Any

from sqlalchemy import ColumnElement, Connection, func, select

from quorate.data.costs import CROWD, EXPERT
from quorate.service.money import from_money
from quorate.service.store.database import Record
from quorate.service.store.tables import leases, models, questions, tallies, tasks, voters

MAX_COUNTED = 10_000  # waiting tasks: a larger number is reported as this one


def overview(connection: Connection, row: Record) -> dict[str, Any]:
    """Return the counts and the money of a project, given its row."""
    counts: dict[str, dict[str, int]] = {}
    query = (
        select(questions.c.name, tallies.c.status, tallies.c.n)
        .join(tallies, tallies.c.question_id == questions.c.id)
        .where(questions.c.project_id == row.id, tallies.c.n != 0)
        .order_by(questions.c.position, tallies.c.status)
    )
    for name, status, n in connection.execute(query):
        counts.setdefault(name, {})[status] = n
    n_voters, n_votes = connection.execute(
        select(func.count(), func.coalesce(func.sum(voters.c.n_votes), 0)).where(voters.c.project_id == row.id)
    ).one()
    n_leases = connection.execute(select(func.count()).where(leases.c.project_id == row.id)).scalar_one()
    return {
        "id": row.id,
        "name": row.name,
        "state": row.state,
        "created_at": row.created_at,
        "tasks": counts,
        "voters": n_voters,
        "votes": n_votes,
        "leases": n_leases,
        "waiting": {
            CROWD: _count_waiting(connection, row.id, tasks.c.ask != EXPERT),
            EXPERT: _count_waiting(connection, row.id, tasks.c.ask == EXPERT),
        },
        "spent": from_money(row.spent),
        "machine_spent": from_money(row.machine_spent),
        "committed": from_money(row.committed),
        "limit": None if row.money_limit is None else from_money(row.money_limit),
        "models": _current_models(connection, row.id),
    }


def _count_waiting(connection: Connection, project_id: int, condition: ColumnElement[bool]) -> int:
    """Count the tasks with a free slot that meet a condition, up to MAX_COUNTED."""
    query = select(tasks.c.id).where(tasks.c.project_id == project_id, condition, tasks.c.room > 0).limit(MAX_COUNTED)
    return connection.execute(select(func.count()).select_from(query.subquery())).scalar_one()


def status_counts(connection: Connection) -> dict[int, dict[str, int]]:
    """Return the number of tasks in each status by project, over all questions; projects without tasks are left out."""
    query = (
        select(questions.c.project_id, tallies.c.status, func.sum(tallies.c.n).label("n"))
        .join(tallies, tallies.c.question_id == questions.c.id)
        .where(tallies.c.n != 0)
        .group_by(questions.c.project_id, tallies.c.status)
    )
    counts: dict[int, dict[str, int]] = {}
    for project_id, status, n in connection.execute(query):
        counts.setdefault(project_id, {})[status] = int(n)
    return counts


def _current_models(connection: Connection, project_id: int) -> dict[str, dict[str, Any]]:
    """Return version, age and metrics of the current model of each question."""
    query = (
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
        for row in connection.execute(query)
    }
