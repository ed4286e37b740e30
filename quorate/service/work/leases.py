"""Leases: a task is held by one voter for a short time. Votes and live leases never exceed the votes that are wanted.

Rows are locked in one order, so that two processes never wait for each other in a ring: the voter, tasks by their ids,
leases and votes, the project's money, and the tallies last (`store.tallies`).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from quorate.service.decisions.budget import release_reserved, reserve
from quorate.service.decisions.counted_votes import LEASED
from quorate.service.store.database import Record
from quorate.service.store.tables import items, leases, tasks
from quorate.service.work.candidates import TASK_AND_CONTENT, Candidate

MAX_SWEPT = 100  # leases that one request ends


class Lease(NamedTuple):
    """A task that a voter holds until a time, with the content of its item."""

    id: int
    expires_at: float
    purpose: str
    task_id: int
    question_id: int
    item_id: int
    kind: str
    content: Mapping[str, Any]


_HELD = (
    select(leases.c.id, leases.c.expires_at, leases.c.purpose, *TASK_AND_CONTENT)
    .join(tasks, tasks.c.id == leases.c.task_id)
    .join(items, items.c.id == tasks.c.item_id)
    .where(leases.c.voter_id == bindparam("voter"), leases.c.expires_at > bindparam("now"))
    .order_by(leases.c.id)
)
_LEASE = insert(leases).returning(leases.c.id, sort_by_parameter_order=True)
_TAKE = update(tasks).where(tasks.c.id.in_(bindparam("ids", expanding=True))).values(leased=tasks.c.leased + 1)
_GIVE_BACK = update(tasks).where(tasks.c.id == bindparam("task")).values(leased=tasks.c.leased - bindparam("n"))
_EXPIRED = (
    select(leases.c.id, leases.c.task_id)
    .where(leases.c.project_id == bindparam("project"), leases.c.expires_at <= bindparam("now"))
    .limit(MAX_SWEPT)
)
_OF_VOTER = select(leases.c.id, leases.c.task_id).where(leases.c.voter_id == bindparam("voter"))
_TASKS = select(tasks.c.id).where(tasks.c.id.in_(bindparam("ids", expanding=True))).order_by(tasks.c.id)
_LOCK_FREE = _TASKS.with_for_update(skip_locked=True)
_LOCK_ALL = _TASKS.with_for_update()
_END = (
    delete(leases)
    .where(leases.c.id.in_(bindparam("ids", expanding=True)))
    .returning(leases.c.id, leases.c.task_id, leases.c.purpose, leases.c.cost)
)
_PROLONG = (
    update(leases)
    .where(
        leases.c.voter_id == bindparam("voter"),
        leases.c.id.in_(bindparam("ids", expanding=True)),
        leases.c.expires_at > bindparam("now"),
    )
    .values(expires_at=bindparam("until"))
    .returning(leases.c.id)
)


def held_by(connection: Connection, voter_id: int, now: float) -> list[Lease]:
    """Return the live leases of a voter, the oldest first."""
    return [Lease(*row) for row in connection.execute(_HELD, {"voter": voter_id, "now": now})]


def take(
    connection: Connection,
    project_id: int,
    voter_id: int,
    candidates: Sequence[Candidate],
    *,
    prices: Mapping[str, tuple[int, int]],
    now: float,
    until: float,
) -> list[Lease]:
    """Lease tasks to a voter; return no lease where the rest of the budget is less than they cost.

    Args:
        connection: a transaction that writes.
        project_id: the project of the tasks.
        voter_id: who gets them.
        candidates: the tasks.
        prices: by purpose, what the voter is paid and what the vote costs the project, in millionths.
        now: the time of the lease.
        until: when it times out.
    """
    rows = [
        {
            "project_id": project_id,
            "task_id": candidate.task_id,
            "voter_id": voter_id,
            "purpose": candidate.purpose,
            "price": prices[candidate.purpose][0],
            "cost": prices[candidate.purpose][1],
            "leased_at": now,
            "expires_at": until,
        }
        for candidate in candidates
    ]
    if not reserve(connection, project_id, sum(prices[candidate.purpose][1] for candidate in candidates)):
        return []
    counted = [candidate.task_id for candidate in candidates if candidate.purpose in LEASED]
    if counted:
        connection.execute(_TAKE, {"ids": counted})
    ids = connection.execute(_LEASE, rows).scalars()
    return [Lease(lease_id, until, *candidate) for lease_id, candidate in zip(ids, candidates, strict=True)]


def sweep(connection: Connection, project_id: int, now: float) -> int:
    """End leases that have timed out, at most MAX_SWEPT at a time; return how many."""
    expired = connection.execute(_EXPIRED, {"project": project_id, "now": now}).all()
    if not expired:
        return 0
    free = set(connection.execute(_LOCK_FREE, {"ids": sorted({row.task_id for row in expired})}).scalars())
    return _end(connection, project_id, [row for row in expired if row.task_id in free])  # others are in use: next time


def release(connection: Connection, project_id: int, voter_id: int) -> int:
    """End all leases of a voter, for example of one who is blocked; return how many."""
    return _lock_and_end(connection, project_id, connection.execute(_OF_VOTER, {"voter": voter_id}).all())


def give_back(connection: Connection, project_id: int, voter_id: int, lease_ids: Sequence[int]) -> int:
    """End some leases of a voter, who does not want them; return how many there were."""
    own = connection.execute(_OF_VOTER, {"voter": voter_id}).all()
    return _lock_and_end(connection, project_id, [row for row in own if row.id in set(lease_ids)])


def heartbeat(connection: Connection, voter_id: int, lease_ids: Sequence[int], now: float, until: float) -> list[int]:
    """Prolong live leases of a voter; return the ids of those that are still held."""
    parameters = {"voter": voter_id, "ids": list(lease_ids), "now": now, "until": until}
    return sorted(connection.execute(_PROLONG, parameters).scalars())


def _lock_and_end(connection: Connection, project_id: int, rows: Sequence[Record]) -> int:
    connection.execute(_LOCK_ALL, {"ids": sorted({row.task_id for row in rows})}).all()
    return _end(connection, project_id, rows)


def _end(connection: Connection, project_id: int, rows: Sequence[Record]) -> int:
    """End leases whose tasks are locked; return how many."""
    if not rows:
        return 0
    ended = connection.execute(_END, {"ids": [row.id for row in rows]}).all()
    n_returned = Counter(row.task_id for row in ended if row.purpose in LEASED)
    if n_returned:
        connection.execute(_GIVE_BACK, [{"task": task, "n": n} for task, n in sorted(n_returned.items())])
    release_reserved(connection, project_id, sum(row.cost for row in ended))
    return len(ended)
