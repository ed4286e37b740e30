"""Timeline of a project: points of its curves, one per round, thinned so that their number stays small."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, func, insert, select

from quorate.service.projects.projects import get
from quorate.service.store.database import Record
from quorate.service.store.tables import points, questions, tallies, voters

MAX_STORED, MAX_SHOWN = 600, 300
HOUR, DAY = 3600.0, 86_400.0
RECENT = 600.0  # seconds over which the current pace is measured

_STATUSES = (
    select(tallies.c.question_id, tallies.c.status, tallies.c.n)
    .join(questions, questions.c.id == tallies.c.question_id)
    .where(questions.c.project_id == bindparam("project"), tallies.c.n != 0)
    .order_by(questions.c.position, tallies.c.status)
)
_VOTES = select(func.coalesce(func.sum(voters.c.n_votes), 0)).where(voters.c.project_id == bindparam("project"))
_OF_PROJECT = select(points).where(points.c.project_id == bindparam("project")).order_by(points.c.at, points.c.id)
_LAST = (
    select(points)
    .where(points.c.project_id == bindparam("project"))
    .order_by(points.c.at.desc(), points.c.id.desc())
    .limit(1)
)


class ProjectCounts(NamedTuple):
    """Counts of a project.

    Attributes:
        votes: of all voters.
        spent: money in millionths.
        statuses: the number of tasks of all questions by status.
        n_tasks: by question.
        machine_spent: the part of the money that the classifier cost.
    """

    votes: int
    spent: int
    statuses: Mapping[str, int]
    n_tasks: Mapping[int, int]
    machine_spent: int = 0


def count_project(connection: Connection, project_id: int) -> ProjectCounts:
    """Return the counts of a project. They are kept up to date: only the voters are scanned."""
    statuses: dict[str, int] = {}
    n_tasks: dict[int, int] = {}
    for question, status, n in connection.execute(_STATUSES, {"project": project_id}):
        statuses[status] = statuses.get(status, 0) + n
        n_tasks[question] = n_tasks.get(question, 0) + n
    votes = connection.execute(_VOTES, {"project": project_id}).scalar_one()
    row = get(connection, project_id)
    return ProjectCounts(int(votes), row.spent, statuses, n_tasks, row.machine_spent)


def last_point(connection: Connection, project_id: int) -> Record | None:
    """Return the newest point, if there is one."""
    return connection.execute(_LAST, {"project": project_id}).one_or_none()


def all_points(connection: Connection, project_id: int) -> list[Record]:
    """Return all stored points, oldest first."""
    return list(connection.execute(_OF_PROJECT, {"project": project_id}))


def add_point(
    connection: Connection, project_id: int, counts: ProjectCounts, risk: float | None, error: float | None, at: float
) -> None:
    """Add a point; where there are too many, delete those that show least."""
    values = {"votes": counts.votes, "spent": counts.spent, "statuses": dict(counts.statuses)}
    connection.execute(insert(points), {"project_id": project_id, "at": at, "risk": risk, "error": error} | values)
    n_points = select(func.count()).where(points.c.project_id == project_id)
    if connection.execute(n_points).scalar_one() > MAX_STORED:
        rows = all_points(connection, project_id)
        kept = {row.id for row in thin(rows, MAX_SHOWN)}
        deleted = [row.id for row in rows if row.id not in kept]
        connection.execute(delete(points).where(points.c.id.in_(deleted)))


def thin(rows: Sequence[Record], n: int) -> list[Record]:
    """Return at most n points, including the first and the last, spread evenly over time and over votes.

    Spread over time alone, a busy hour after quiet weeks would keep one point; over votes alone, the weeks would.

    >>> from types import SimpleNamespace as Row
    >>> rows = [Row(at=at, votes=votes) for at, votes in ((0, 0), (1, 70), (2, 75), (98, 75), (99, 80), (100, 100))]
    >>> [(row.at, row.votes) for row in thin(rows, 5)]
    [(0, 0), (1, 70), (98, 75), (100, 100)]
    """
    if len(rows) <= n:
        return list(rows)
    first, last = rows[0], rows[-1]
    time, votes = max(last.at - first.at, 1e-9), max(last.votes - first.votes, 1)
    step = 2 / (n - 2)  # both together go from 0 to 2
    kept = [first]
    for row in rows[1:-1]:
        if (row.at - kept[-1].at) / time + abs(row.votes - kept[-1].votes) / votes >= step:
            kept.append(row)
    return [*kept[: n - 1], last]


def votes_per_day(rows: Sequence[Record]) -> float | None:
    """Return the votes per day, measured over the last 24 hours before the newest point; None if none came.

    rows: points of the project, with the time `at` and the number of `votes` until then, oldest first.

    >>> from types import SimpleNamespace as Row
    >>> votes_per_day([Row(at=0.0, votes=0), Row(at=10 * DAY, votes=50), Row(at=10.5 * DAY, votes=80)])
    60.0
    """
    if len(rows) < 2:
        return None
    last = rows[-1]
    first = next(row for row in rows if row.at >= last.at - DAY)
    first = rows[-2] if first is last else first
    length = float(last.at - first.at)
    rate = float(last.votes - first.votes) / length * DAY if length > 0 else 0.0
    return rate if rate > 0 else None


def votes_per_hour(rows: Sequence[Record], now: float) -> float | None:
    """Return the pace of the last ten minutes, or of the whole time if shorter; None before there are two points.

    It falls while nobody votes, down to 0.

    >>> from types import SimpleNamespace as Row
    >>> rows = [Row(at=0.0, votes=0), Row(at=300.0, votes=10), Row(at=600.0, votes=40)]
    >>> [votes_per_hour(rows, now) for now in (600.0, 720.0, 900.0, 1200.0)]
    [240.0, 200.0, 180.0, 0.0]
    """
    if len(rows) < 2:
        return None
    before = next((row for row in reversed(rows) if row.at <= now - RECENT), rows[0])
    return float(rows[-1].votes - before.votes) / max(now - before.at, 1.0) * HOUR
