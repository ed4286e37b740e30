"""Candidates: the tasks that a voter could be offered next, each with the purpose that its answer would serve."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, exists, or_, select

from quorate.data.costs import EXPERT
from quorate.service.decisions.counted_votes import AUDIT, PRACTICE, WORK
from quorate.service.decisions.task_state import ASKING
from quorate.service.store.database import Record
from quorate.service.store.tables import items, leases, tasks, votes


class Candidate(NamedTuple):
    """A task with the content of its item. The key is not read: it may hold the label, as `dog/img2.png` does."""

    purpose: str
    task_id: int
    question_id: int
    item_id: int
    kind: str
    content: Mapping[str, Any]


TASK_AND_CONTENT = (tasks.c.id, tasks.c.question_id, tasks.c.item_id, items.c.kind, items.c.content)
_SEEN = or_(
    exists().where(votes.c.task_id == tasks.c.id, votes.c.voter_id == bindparam("voter")),
    exists().where(leases.c.task_id == tasks.c.id, leases.c.voter_id == bindparam("voter")),
)
_OPEN = (
    select(tasks.c.status, *TASK_AND_CONTENT)
    .join(items, items.c.id == tasks.c.item_id)
    .where(tasks.c.room > 0, ~_SEEN)
    .order_by(tasks.c.priority.desc(), tasks.c.draw)
    .limit(bindparam("n"))
    .with_for_update(of=tasks, skip_locked=True)
)
_BEST = _OPEN.where(tasks.c.project_id == bindparam("project"), tasks.c.ask == bindparam("ask"))
_AUDITS = _BEST.where(tasks.c.priority == 0, tasks.c.status != ASKING)
_latest = (
    select(votes.c.task_id)
    .where(votes.c.voter_id == bindparam("voter"), votes.c.purpose != PRACTICE)
    .order_by(votes.c.id.desc())
    .limit(bindparam("latest"))
    .subquery("latest")
)
_voted = tasks.alias("voted")
_ITEMS_OF_LATEST = select(_voted.c.item_id).join(_latest, _latest.c.task_id == _voted.c.id)
_FOLLOWING = _OPEN.where(  # by their items: without the project, the index of all open tasks is not used
    tasks.c.item_id.in_(_ITEMS_OF_LATEST), tasks.c.ask.in_(bindparam("asks", expanding=True))
)
_GOLD = (
    select(*TASK_AND_CONTENT)
    .join(items, items.c.id == tasks.c.item_id)
    .where(
        tasks.c.project_id == bindparam("project"),
        tasks.c.gold.is_not(None),
        tasks.c.draw >= bindparam("start"),
        ~_SEEN,
    )
    .order_by(tasks.c.draw)
    .limit(bindparam("n"))
)


def find_best(connection: Connection, project_id: int, voter_id: int, asks: Sequence[str], n: int) -> list[Candidate]:
    """Return the n open tasks on which a vote of this voter is worth most; on PostgreSQL they are locked.

    asks: the values of a task's `ask` that this voter meets: a kind, or the voter's own code.
    """
    best: list[Candidate] = []
    for ask in asks:
        parameters = {"project": project_id, "voter": voter_id, "ask": ask, "n": n - len(best)}
        best += _with_purpose(connection.execute(_BEST, parameters)) if n > len(best) else []
    return best


def find_audits(connection: Connection, project_id: int, voter_id: int, n: int) -> list[Candidate]:
    """Return n decided tasks that were drawn for the audit by an expert."""
    parameters = {"project": project_id, "voter": voter_id, "ask": EXPERT, "n": n}
    return _with_purpose(connection.execute(_AUDITS, parameters))


def find_following(connection: Connection, voter_id: int, asks: Sequence[str], n: int, latest: int) -> list[Candidate]:
    """Return n open tasks of the items on which this voter gave the latest votes. latest: how many of these votes."""
    parameters = {"voter": voter_id, "asks": list(asks), "n": n, "latest": latest}
    return _with_purpose(connection.execute(_FOLLOWING, parameters))


def find_gold(
    connection: Connection, project_id: int, voter_id: int, purpose: str, n: int, start: float
) -> list[Candidate]:
    """Return n tasks with a gold label that this voter has not seen, for practice or checks.

    start: the draw from which to search, in [0, 1); the search goes on from 0.
    """
    gold: dict[int, Candidate] = {}
    for first in (start, 0.0):
        if n > len(gold):
            parameters = {"project": project_id, "voter": voter_id, "n": n, "start": first}
            gold |= {row.id: Candidate(purpose, *row) for row in connection.execute(_GOLD, parameters)}
    return list(gold.values())[:n]


def _with_purpose(rows: Iterable[Record]) -> list[Candidate]:
    return [Candidate(WORK if status == ASKING else AUDIT, *task) for status, *task in rows]
