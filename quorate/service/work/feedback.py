"""What an expert is told of a task after having voted on it: what others said, and what is believed.

An audit answer is final from that moment on: the certificate rests on answers that nothing else has influenced.
"""

from typing import Any

from sqlalchemy import Connection, exists, select, update

from quorate.data.costs import EXPERT
from quorate.service.accounts.permissions import Principal
from quorate.service.decisions.evidence import AUDIT, PRACTICE
from quorate.service.errors import NotFound, Refused
from quorate.service.items.access import reads_all
from quorate.service.items.summary import class_name
from quorate.service.projects.plan import plan_of
from quorate.service.projects.projects import get
from quorate.service.store.blobs import by_class
from quorate.service.store.database import Record
from quorate.service.store.tables import tasks, voters, votes
from quorate.service.work.visit import visitor


def told(connection: Connection, who: Principal, project_id: int, task_id: int, now: float) -> dict[str, Any]:
    """How a task stands, what the machine says of it, and what everybody said last.

    final: whether the caller's own answer is an audit, which cannot be amended after this look.
    """
    task = _locked_task(connection, project_id, task_id)
    said = _last_words(connection, task_id)
    mine = _own_voter(connection, who, project_id, said)
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
                "mine": row.voter_id == mine,
            }
            for row in said
        ],
        "final": mine is not None and _reveal_to_auditor(connection, task_id, mine, now),
    }


def _locked_task(connection: Connection, project_id: int, task_id: int) -> Record:
    """The row of a task. It is locked as amending locks it: a look comes before an amendment, or after it."""
    found = select(tasks).where(tasks.c.id == task_id, tasks.c.project_id == project_id)
    task = connection.execute(found.with_for_update()).one_or_none()
    if task is None:
        raise NotFound(f"there is no task {task_id} for you in project {project_id}")
    return task


def _last_words(connection: Connection, task_id: int) -> list[Record]:
    """What each voter who is not blocked said last."""
    found = (
        select(votes.c.voter_id, voters.c.code, voters.c.kind, votes.c.label, votes.c.said)
        .join(voters, voters.c.id == votes.c.voter_id)
        .where(votes.c.task_id == task_id, votes.c.purpose != PRACTICE, voters.c.state != "blocked")
        .order_by(votes.c.id)
    )
    return list({row.voter_id: row for row in connection.execute(found)}.values())


def _reveal_to_auditor(connection: Connection, task_id: int, voter_id: int, now: float) -> bool:
    """Note when the voter of an audit is first shown what others said; return whether the voter has audited this."""
    audits = votes.c.task_id == task_id, votes.c.voter_id == voter_id, votes.c.purpose == AUDIT
    connection.execute(update(votes).where(*audits, votes.c.revealed_at.is_(None)).values(revealed_at=now))
    return bool(connection.execute(select(exists().where(*audits))).scalar_one())


def _own_voter(connection: Connection, who: Principal, project_id: int, said: list[Record]) -> int | None:
    """The voter that the caller is, if any; who may not know yet what others said is refused."""
    if reads_all(connection, who, project_id):
        return visitor(connection, who, project_id)[0].id if "vote" in who.scopes else None
    voter = visitor(connection, who, project_id)[0]
    if voter.kind != EXPERT:
        raise Refused("what others said is told to experts and requesters only")
    if not any(row.voter_id == voter.id and row.label is not None for row in said):
        raise Refused("what others said is told after you have voted yourself: vote on the task first")
    return int(voter.id)
