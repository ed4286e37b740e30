"""The state of the work in numbers that are cheap to read: sums over projects and voters, never over votes."""

from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from quorate.service.money import from_money
from quorate.service.monitoring.heartbeat import learner_age
from quorate.service.store.tables import leases, models, projects, questions, tallies, voters


@dataclass(frozen=True)
class WorkState:
    """Counts by project (and kind of voter, or question and status); money in the unit of the project."""

    read_at: float
    votes: dict[tuple[int, str], int]
    tasks: dict[tuple[int, int, str], int]
    spent: dict[int, float]
    committed: dict[int, float]
    leases: dict[int, float]
    lag: dict[int, float]  # seconds from the model in use to the last vote
    learner_age: float | None  # seconds since the last heartbeat of the learner; None = never


def work_state(connection: Connection, now: float) -> WorkState:
    """Return the numbers as of now."""
    money = connection.execute(select(projects.c.id, projects.c.spent, projects.c.committed)).all()
    by_voter = select(voters.c.project_id, voters.c.kind, func.sum(voters.c.n_votes), func.max(voters.c.seen_at))
    voted = connection.execute(by_voter.group_by(voters.c.project_id, voters.c.kind)).all()
    by_status = select(questions.c.project_id, questions.c.id, tallies.c.status, tallies.c.n)
    tasks = connection.execute(by_status.join(tallies, tallies.c.question_id == questions.c.id)).all()
    live = select(leases.c.project_id, func.count()).where(leases.c.expires_at > now).group_by(leases.c.project_id)
    return WorkState(
        read_at=now,
        votes={(project, kind): int(n) for project, kind, n, _ in voted},
        tasks={(project, question, status): n for project, question, status, n in tasks},
        spent={project: from_money(spent) for project, spent, _ in money},
        committed={project: from_money(committed) for project, _, committed in money},
        leases={project: float(n) for project, n in connection.execute(live)},
        lag=_lag(connection, [(project, seen) for project, _, n, seen in voted if n and seen is not None]),
        learner_age=learner_age(connection, now),
    )


def _lag(connection: Connection, seen: list[tuple[int, float]]) -> dict[int, float]:
    """Return, by project, the seconds from the oldest model in use to the last visit of a voter."""
    query = select(questions.c.project_id, func.min(models.c.created_at))
    query = query.join(models, models.c.id == questions.c.model_id).group_by(questions.c.project_id)
    fitted_at: dict[int, float] = dict(connection.execute(query).all())
    last: dict[int, float] = {}
    for project, at in seen:
        last[project] = max(at, last.get(project, at))
    return {project: max(0.0, at - fitted_at[project]) for project, at in last.items() if project in fitted_at}
