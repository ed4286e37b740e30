"""Feedback to an expert after a vote: the votes of others on the task, and its posterior.

An audit answer is final from that moment on: the certificate rests on answers that nothing else has influenced.
"""

from typing import Any

from sqlalchemy import Connection, exists, select, update

from quorate.data.costs import EXPERT
from quorate.service.accounts.permissions import Principal
from quorate.service.decisions.counted_votes import AUDIT, is_valid
from quorate.service.errors import NotFound, Refused
from quorate.service.items.access import may_read_all
from quorate.service.items.summary import class_name
from quorate.service.projects.plan import plan_of
from quorate.service.projects.projects import get
from quorate.service.store.blobs import by_class
from quorate.service.store.database import Record
from quorate.service.store.tables import tasks, voters, votes
from quorate.service.work.visit import find_visitor


def votes_of_others(
    connection: Connection, caller: Principal, project_id: int, task_id: int, now: float
) -> dict[str, Any]:
    """Return the state of a task, its prediction by the classifier, and the last vote of every voter.

    `final` in the result: whether the caller's own vote is an audit, which cannot be amended from now on.
    """
    task = _lock_task(connection, project_id, task_id)
    last_votes = _read_last_votes(connection, task_id)
    own = _require_may_see(connection, caller, project_id, last_votes)
    plan = plan_of(connection, project_id, get(connection, project_id).settings_version)
    names = plan.questions[task.question_id].question.class_names
    return {
        "status": task.status,
        "label": class_name(names, task.label),
        "posterior": by_class(names, task.posterior),
        "machine": by_class(names, task.machine),
        "votes": [
            {
                "voter": row.code,
                "kind": row.kind,
                "label": class_name(names, row.label),
                "said": row.said,
                "mine": row.voter_id == own,
            }
            for row in last_votes
        ],
        "final": own is not None and _reveal_to_auditor(connection, task_id, own, now),
    }


def _lock_task(connection: Connection, project_id: int, task_id: int) -> Record:
    """Lock and return the row of a task, as `amend` does: an amendment comes before this look, or after it."""
    query = select(tasks).where(tasks.c.id == task_id, tasks.c.project_id == project_id)
    task = connection.execute(query.with_for_update()).one_or_none()
    if task is None:
        raise NotFound(f"there is no task {task_id} for you in project {project_id}")
    return task


def _read_last_votes(connection: Connection, task_id: int) -> list[Record]:
    """Return the last vote of each voter who is not blocked; it may be a skip."""
    query = (
        select(votes.c.voter_id, voters.c.code, voters.c.kind, votes.c.label, votes.c.said)
        .join(voters, voters.c.id == votes.c.voter_id)
        .where(votes.c.task_id == task_id, is_valid())
        .order_by(votes.c.id)
    )
    return list(connection.execute(query))


def _reveal_to_auditor(connection: Connection, task_id: int, voter_id: int, now: float) -> bool:
    """Note when an auditor first sees the votes of others; return whether the voter has audited this task."""
    audits = votes.c.task_id == task_id, votes.c.voter_id == voter_id, votes.c.purpose == AUDIT
    connection.execute(update(votes).where(*audits, votes.c.revealed_at.is_(None)).values(revealed_at=now))
    return bool(connection.execute(select(exists().where(*audits))).scalar_one())


def _require_may_see(
    connection: Connection, caller: Principal, project_id: int, last_votes: list[Record]
) -> int | None:
    """Refuse callers who may not see the votes of others; return the caller's own voter id, if any."""
    if may_read_all(connection, caller, project_id):
        return find_visitor(connection, caller, project_id)[0].id if "vote" in caller.scopes else None
    voter = find_visitor(connection, caller, project_id)[0]
    if voter.kind != EXPERT:
        raise Refused("only experts and requesters may see the votes of others")
    if not any(row.voter_id == voter.id and row.label is not None for row in last_votes):
        raise Refused("you may see the votes of others after your own: vote on the task first")
    return int(voter.id)
