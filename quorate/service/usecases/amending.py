"""A voter's change of mind: a new vote takes the place of the old, which stays in the history."""

from sqlalchemy import Connection, func, insert, select

from quorate.service.errors import Conflict, NotFound, Refused
from quorate.service.store.database import Record
from quorate.service.store.tables import tasks, votes
from quorate.service.usecases.evidence import AUDIT, WORK, locked, locked_items
from quorate.service.usecases.projects import Plan, plan_of
from quorate.service.usecases.serving import voter_and_project
from quorate.service.usecases.tasks import decide_anew
from quorate.service.usecases.votes import KNOWN, label_of

KEPT = ("project_id", "question_id", "task_id", "voter_id", "purpose")  # of the vote that is replaced


def amend(
    connection: Connection, voter_id: int, vote_id: int, *, label: str | None, said: str, key: str, now: float
) -> int:
    """Replace a vote of one's own, within the time that the project gives; the new vote. It was paid with the first."""
    voter = voter_and_project(connection, voter_id)
    if voter.state in ("blocked", "failed"):
        raise Refused("this worker may not vote any more in this project")
    plan = plan_of(connection, voter.project_id, voter.settings_version)
    old = connection.execute(select(votes).where(votes.c.id == vote_id, votes.c.voter_id == voter_id)).one_or_none()
    if old is None:
        raise NotFound(f"there is no vote {vote_id} of yours")
    rows = _locked(connection, plan, old.task_id)
    known = connection.execute(KNOWN, {"voter": voter_id, "keys": [key]}).first()
    if known is not None:
        return int(known.id)
    _check(connection, old, plan.settings.workers.amend_seconds, now)
    values = {name: getattr(old, name) for name in KEPT} | {
        "label": label_of(plan, old.question_id, said, label),
        "said": said,
        "amendment": old.amendment + 1,
        "price": 0,
        "cost": 0,
        "client_key": key,
        "given_at": now,
    }
    vote = connection.execute(insert(votes).values(values).returning(votes.c.id)).scalar_one()
    decide_anew(connection, plan, rows, now)
    return int(vote)


def _locked(connection: Connection, plan: Plan, task_id: int) -> list[Record]:
    """The task, locked; where criteria depend on each other, all tasks of its item are."""
    if plan.is_screening:
        item = connection.execute(select(tasks.c.item_id).where(tasks.c.id == task_id)).scalar_one()
        return [row for row in locked_items(connection, [item]) if row.id == task_id]
    return locked(connection, [task_id])


def _check(connection: Connection, old: Record, seconds: float, now: float) -> None:
    of_voter = votes.c.task_id == old.task_id, votes.c.voter_id == old.voter_id
    first, last = connection.execute(
        select(func.min(votes.c.given_at), func.max(votes.c.amendment)).where(*of_voter)
    ).one()
    if old.amendment != last:
        raise Conflict("this vote was amended already: amend its latest version")
    if now - first > seconds:
        raise Conflict(f"a vote can be amended for {seconds:g} seconds only")
    if old.purpose not in (WORK, AUDIT):
        raise Conflict("an answer that was checked cannot be amended")
