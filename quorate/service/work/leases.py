"""Leases: a task is in one voter's hands for a short time. Votes and live leases never exceed what is asked for.

Rows are locked in one order, so that two processes never wait for each other in a ring: the voter, tasks by their ids,
leases and votes, the project's money, and the tallies last (`store.tallies`).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, delete, exists, insert, or_, select, update

from quorate.data.costs import EXPERT
from quorate.service.decisions.budget import commit_money, release_money
from quorate.service.decisions.counted_votes import AUDIT, LEASED, PRACTICE, WORK
from quorate.service.store.database import Record
from quorate.service.store.tables import items, leases, tasks, votes

MOST_SWEPT = 100  # leases that one request clears away


class Shown(NamedTuple):
    """A task, and what is shown of its item. The key is not read: it may hold the label, as `dog/img2.png` does."""

    task_id: int
    question_id: int
    item_id: int
    kind: str
    content: Mapping[str, Any]


class Held(NamedTuple):
    """A task in a voter's hands until a time."""

    id: int
    purpose: str
    expires_at: float
    task_id: int
    question_id: int
    item_id: int
    kind: str
    content: Mapping[str, Any]


_SHOWN = (tasks.c.id, tasks.c.question_id, tasks.c.item_id, items.c.kind, items.c.content)
_HELD = (
    select(leases.c.id, leases.c.purpose, leases.c.expires_at, *_SHOWN)
    .join(tasks, tasks.c.id == leases.c.task_id)
    .join(items, items.c.id == tasks.c.item_id)
    .where(leases.c.voter_id == bindparam("voter"), leases.c.expires_at > bindparam("now"))
    .order_by(leases.c.id)
)
_SEEN = or_(
    exists().where(votes.c.task_id == tasks.c.id, votes.c.voter_id == bindparam("voter")),
    exists().where(leases.c.task_id == tasks.c.id, leases.c.voter_id == bindparam("voter")),
)
_TO_ASK = (
    select(tasks.c.status, *_SHOWN)
    .join(items, items.c.id == tasks.c.item_id)
    .where(tasks.c.room > 0, ~_SEEN)
    .order_by(tasks.c.priority.desc(), tasks.c.draw)
    .limit(bindparam("n"))
    .with_for_update(of=tasks, skip_locked=True)
)
_BEST = _TO_ASK.where(tasks.c.project_id == bindparam("project"), tasks.c.ask == bindparam("ask"))
_AUDITS = _BEST.where(tasks.c.priority == 0, tasks.c.status != "asking")
_latest = (
    select(votes.c.task_id)
    .where(votes.c.voter_id == bindparam("voter"), votes.c.purpose != PRACTICE)
    .order_by(votes.c.id.desc())
    .limit(bindparam("latest"))
    .subquery("latest")
)
_voted = tasks.alias("voted")
_ITEMS_OF_LATEST = select(_voted.c.item_id).join(_latest, _latest.c.task_id == _voted.c.id)
_FOLLOWING = _TO_ASK.where(  # found by their items: without the project, no index of all open tasks is taken
    tasks.c.item_id.in_(_ITEMS_OF_LATEST), tasks.c.ask.in_(bindparam("asks", expanding=True))
)
_CHECKS = (
    select(*_SHOWN)
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
_LEASE = insert(leases).returning(leases.c.id, sort_by_parameter_order=True)
_TAKE = update(tasks).where(tasks.c.id.in_(bindparam("ids", expanding=True))).values(leased=tasks.c.leased + 1)
_GIVE_BACK = update(tasks).where(tasks.c.id == bindparam("task")).values(leased=tasks.c.leased - bindparam("n"))
_EXPIRED = (
    select(leases.c.id, leases.c.task_id)
    .where(leases.c.project_id == bindparam("project"), leases.c.expires_at <= bindparam("now"))
    .limit(MOST_SWEPT)
)
_OF_VOTER = select(leases.c.id, leases.c.task_id).where(leases.c.voter_id == bindparam("voter"))
_LOCK = select(tasks.c.id).where(tasks.c.id.in_(bindparam("ids", expanding=True))).order_by(tasks.c.id)
_WAITING_FOR_NONE = _LOCK.with_for_update(skip_locked=True)
_WAITING = _LOCK.with_for_update()
_END = (
    delete(leases)
    .where(leases.c.id.in_(bindparam("ids", expanding=True)))
    .returning(leases.c.id, leases.c.task_id, leases.c.purpose, leases.c.cost)
)
_KEEP = (
    update(leases)
    .where(
        leases.c.voter_id == bindparam("voter"),
        leases.c.id.in_(bindparam("ids", expanding=True)),
        leases.c.expires_at > bindparam("now"),
    )
    .values(expires_at=bindparam("until"))
    .returning(leases.c.id)
)


def held(connection: Connection, voter_id: int, now: float) -> list[Held]:
    """What a voter has in hand, with what is shown of it."""
    return [Held(*row) for row in connection.execute(_HELD, {"voter": voter_id, "now": now})]


def best(
    connection: Connection, project_id: int, voter_id: int, asks: Sequence[str], n: int
) -> list[tuple[Shown, str]]:
    """The tasks that are worth most by this voter, with the purpose of each; on PostgreSQL nobody else can take them.

    asks: what tasks ask for that this voter is: a kind, or the voter by name.
    """
    found: list[tuple[Shown, str]] = []
    for ask in asks:
        wanted = {"project": project_id, "voter": voter_id, "ask": ask, "n": n - len(found)}
        found += _with_purpose(connection.execute(_BEST, wanted)) if n > len(found) else []
    return found


def audits(connection: Connection, project_id: int, voter_id: int, n: int) -> list[tuple[Shown, str]]:
    """Decided tasks that were drawn for an expert's second look."""
    wanted = {"project": project_id, "voter": voter_id, "ask": EXPERT, "n": n}
    return _with_purpose(connection.execute(_AUDITS, wanted))


def following(
    connection: Connection, voter_id: int, asks: Sequence[str], n: int, latest: int
) -> list[tuple[Shown, str]]:
    """What else is asked of the items that this voter has just voted on, by so many of the latest votes."""
    wanted = {"voter": voter_id, "asks": list(asks), "n": n, "latest": latest}
    return _with_purpose(connection.execute(_FOLLOWING, wanted))


def _with_purpose(rows: Iterable[Record]) -> list[tuple[Shown, str]]:
    return [(Shown(*shown), WORK if status == "asking" else AUDIT) for status, *shown in rows]


def checks(connection: Connection, project_id: int, voter_id: int, n: int, start: float) -> list[Shown]:
    """Tasks whose label is known and that this voter has not seen, from a random place on."""
    found: dict[int, Shown] = {}
    for place in (start, 0.0):
        if n > len(found):
            wanted = {"project": project_id, "voter": voter_id, "n": n, "start": place}
            found |= {row.id: Shown(*row) for row in connection.execute(_CHECKS, wanted)}
    return list(found.values())[:n]


def take(
    connection: Connection,
    project_id: int,
    voter_id: int,
    chosen: Sequence[tuple[Shown, str]],
    *,
    prices: dict[str, tuple[int, int]],
    now: float,
    until: float,
) -> list[Held]:
    """Lease tasks to a voter; none, where another took the last of the money meanwhile.

    chosen: tasks and purposes. prices: purpose -> what the voter gets, what it costs.
    """
    rows = [
        {
            "project_id": project_id,
            "task_id": shown.task_id,
            "voter_id": voter_id,
            "purpose": purpose,
            "price": prices[purpose][0],
            "cost": prices[purpose][1],
            "leased_at": now,
            "expires_at": until,
        }
        for shown, purpose in chosen
    ]
    cost = sum(prices[purpose][1] for _, purpose in chosen)
    if not commit_money(connection, project_id, cost):
        return []
    counted = [shown.task_id for shown, purpose in chosen if purpose in LEASED]
    if counted:
        connection.execute(_TAKE, {"ids": counted})
    ids = connection.execute(_LEASE, rows).scalars()
    return [Held(number, purpose, until, *shown) for number, (shown, purpose) in zip(ids, chosen, strict=True)]


def sweep(connection: Connection, project_id: int, now: float) -> int:
    """End leases that have timed out, some at a time; how many."""
    found = connection.execute(_EXPIRED, {"project": project_id, "now": now}).all()
    if not found:
        return 0
    free = set(connection.execute(_WAITING_FOR_NONE, {"ids": sorted({row.task_id for row in found})}).scalars())
    return _end(connection, project_id, [row for row in found if row.task_id in free])  # others are in use: next time


def release(connection: Connection, project_id: int, voter_id: int) -> int:
    """End all leases of a voter, such as one who is blocked; how many."""
    return _end_locked(connection, project_id, connection.execute(_OF_VOTER, {"voter": voter_id}).all())


def give_back(connection: Connection, project_id: int, voter_id: int, lease_ids: Sequence[int]) -> int:
    """End some leases of a voter, who does not want them; how many there were."""
    own = connection.execute(_OF_VOTER, {"voter": voter_id}).all()
    return _end_locked(connection, project_id, [row for row in own if row.id in set(lease_ids)])


def heartbeat(connection: Connection, voter_id: int, lease_ids: Sequence[int], now: float, until: float) -> list[int]:
    """Prolong live leases of a voter; those that are still held."""
    wanted = {"voter": voter_id, "ids": list(lease_ids), "now": now, "until": until}
    return sorted(connection.execute(_KEEP, wanted).scalars())


def _end_locked(connection: Connection, project_id: int, found: Sequence[Record]) -> int:
    connection.execute(_WAITING, {"ids": sorted({row.task_id for row in found})}).all()
    return _end(connection, project_id, found)


def _end(connection: Connection, project_id: int, found: Sequence[Record]) -> int:
    """End leases whose tasks are locked."""
    if not found:
        return 0
    ended = connection.execute(_END, {"ids": [row.id for row in found]}).all()
    free = Counter(row.task_id for row in ended if row.purpose in LEASED)
    if free:
        connection.execute(_GIVE_BACK, [{"task": task, "n": n} for task, n in sorted(free.items())])
    release_money(connection, project_id, sum(row.cost for row in ended))
    return len(ended)
