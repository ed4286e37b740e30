"""New decisions of a project since a reader looked last, with the names of its settings."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, func, select

from quorate.service.projects import projects
from quorate.service.projects.plan import Plan, plan_of
from quorate.service.store.database import Record
from quorate.service.store.tables import decisions, items, tasks

# On PostgreSQL a transaction may number its decisions before another and end after it: for this many seconds after a
# decision, one with a lower number can still appear.
LATE_SECONDS = 10.0
PAGE = 1000  # decisions


@dataclass
class Follower:
    """A reader of each new decision of a project, once. floor: all up to it were read, and no lower one can appear."""

    project_id: int
    floor: int
    seen: dict[int, float] = field(default_factory=dict)  # those above the floor, and when they were made

    @classmethod
    def from_now(cls, connection: Connection, project_id: int, now: float) -> "Follower":
        """Return a follower that reads only what is decided from now on."""
        follower = cls(project_id, resumed(connection, project_id, now))
        follower.seen = dict(follower._above(connection))
        return follower

    def read(self, connection: Connection, now: float) -> list[dict[str, Any]]:
        """Return the decisions that were not read yet, at most a page of them."""
        unread = [(number, at) for number, at in self._above(connection) if number not in self.seen]
        new, left = unread[:PAGE], unread[PAGE:]
        self.seen.update(new)
        self._raise_floor(now - late(connection), left[0][0] if left else None)
        return describe(connection, self.project_id, [number for number, _ in new])

    def _above(self, connection: Connection) -> list[tuple[int, float]]:
        query = select(decisions.c.id, decisions.c.made_at)
        mine = query.where(decisions.c.project_id == self.project_id, decisions.c.id > self.floor)
        return [(row.id, row.made_at) for row in connection.execute(mine.order_by(decisions.c.id))]

    def _raise_floor(self, before: float, unread: int | None) -> None:
        sure = [number for number, at in self.seen.items() if at <= before and (unread is None or number < unread)]
        self.floor = max(sure, default=self.floor)
        self.seen = {number: at for number, at in self.seen.items() if number > self.floor}


def resumed(connection: Connection, project_id: int, now: float, last: int | None = None) -> int:
    """Return the number to read on from: `last`, or the newest; an earlier one if some may still have appeared late."""
    mine = select(func.max(decisions.c.id)).where(decisions.c.project_id == project_id)
    if last is not None:
        at = connection.execute(select(decisions.c.made_at).where(decisions.c.id == last)).scalar_one_or_none()
        now, mine = now if at is None else at, mine.where(decisions.c.id <= last)
    if late(connection):
        mine = mine.where(decisions.c.made_at < now - late(connection))
    return connection.execute(mine).scalar_one() or 0


def between(connection: Connection, project_id: int, after: int, up_to: int) -> list[dict[str, Any]]:
    """Return a page of the decisions with numbers above `after`, up to `up_to`."""
    query = (
        select(decisions.c.id)
        .where(decisions.c.project_id == project_id, decisions.c.id > after, decisions.c.id <= up_to)
        .order_by(decisions.c.id)
        .limit(PAGE)
    )
    return describe(connection, project_id, list(connection.execute(query).scalars()))


def newest(connection: Connection, project_id: int) -> int:
    """Return the number of the last decision in a project; 0 if nothing was decided."""
    mine = select(func.max(decisions.c.id)).where(decisions.c.project_id == project_id)
    return connection.execute(mine).scalar_one() or 0


def describe(connection: Connection, project_id: int, ids: Sequence[int]) -> list[dict[str, Any]]:
    """Return decisions with the names of the item, the question and the label."""
    if not ids:
        return []
    query = (
        select(decisions, tasks.c.question_id, items.c.key)
        .join(tasks, tasks.c.id == decisions.c.task_id)
        .join(items, items.c.id == tasks.c.item_id)
        .where(decisions.c.id.in_(ids))
        .order_by(decisions.c.id)
    )
    rows = connection.execute(query).all()
    plan = plan_of(connection, project_id, projects.get(connection, project_id).settings_version)
    return [_describe(plan, row) for row in rows]


def late(connection: Connection) -> float:
    """Return for how many seconds a decision with a lower number can still appear; SQLite has one writer at a time."""
    return 0.0 if connection.dialect.name == "sqlite" else LATE_SECONDS


def _describe(plan: Plan, row: Record) -> dict[str, Any]:
    question = plan.questions[row.question_id].question
    return {
        "id": row.id,
        "item": row.key,
        "question": question.name,
        "status": row.status,
        "label": None if row.label is None else question.class_names[row.label],
        "confidence": row.confidence,
        "expected_cost": row.expected_cost,
        "reason": row.reason,
        "votes": row.n_votes,
        "at": row.made_at,
    }
