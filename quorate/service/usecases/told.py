"""What an expert is told of a task after having voted on it: what others said, and what is believed."""

from typing import Any

from sqlalchemy import Connection, select

from quorate.costs import EXPERT
from quorate.service.errors import NotFound, Refused
from quorate.service.store.database import Record
from quorate.service.store.tables import tasks, voters, votes
from quorate.service.usecases.arrays import by_class
from quorate.service.usecases.authorise import Who
from quorate.service.usecases.evidence import PRACTICE
from quorate.service.usecases.projects import get, plan_of
from quorate.service.usecases.shown import reads_all
from quorate.service.usecases.visits import visitor


def told(connection: Connection, who: Who, project_id: int, task_id: int) -> dict[str, Any]:
    """How a task stands, what the machine says of it, and what everybody said last."""
    task = connection.execute(
        select(tasks).where(tasks.c.id == task_id, tasks.c.project_id == project_id)
    ).one_or_none()
    if task is None:
        raise NotFound(f"there is no task {task_id} for you in project {project_id}")
    said = _last_words(connection, task_id)
    mine = _own_voter(connection, who, project_id, said)
    plan = plan_of(connection, project_id, get(connection, project_id).settings_version)
    names = plan.asked[task.question_id].question.class_names
    return {
        "status": task.status,
        "label": None if task.label is None else names[task.label],
        "posterior": by_class(names, task.posterior),
        "machine": by_class(names, task.machine),
        "votes": [
            {
                "voter": row.code,
                "kind": row.kind,
                "label": None if row.label is None else names[row.label],
                "said": row.said,
                "mine": row.voter_id == mine,
            }
            for row in said
        ],
    }


def _last_words(connection: Connection, task_id: int) -> list[Record]:
    """What each voter who is not blocked said last."""
    found = (
        select(votes.c.voter_id, voters.c.code, voters.c.kind, votes.c.label, votes.c.said)
        .join(voters, voters.c.id == votes.c.voter_id)
        .where(votes.c.task_id == task_id, votes.c.purpose != PRACTICE, voters.c.state != "blocked")
        .order_by(votes.c.id)
    )
    return list({row.voter_id: row for row in connection.execute(found)}.values())


def _own_voter(connection: Connection, who: Who, project_id: int, said: list[Record]) -> int | None:
    """The voter that the caller is, if any; who may not know yet what others said is refused."""
    if reads_all(connection, who, project_id):
        return visitor(connection, who, project_id)[0].id if "vote" in who.scopes else None
    voter = visitor(connection, who, project_id)[0]
    if voter.kind != EXPERT:
        raise Refused("what others said is told to experts and requesters only")
    if not any(row.voter_id == voter.id and row.label is not None for row in said):
        raise Refused("what others said is told after you have voted yourself: vote on the task first")
    return int(voter.id)
