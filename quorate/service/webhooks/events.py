"""Who is told what: each notice is a row per webhook that wants it, written in the transaction of what it tells of.

So a notice is sent if and only if what it tells of was kept; `webhooks.sender` brings the rows to their addresses.
"""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, insert, select

from quorate.service.store.cache import BoundedCache
from quorate.service.store.tables import deliveries, webhooks

ITEM_DECIDED = "item.decided"
ITEM_REOPENED = "item.reopened"
PROJECT_COMPLETED = "project.completed"
BUDGET_LOW = "budget.low"
KINDS = (ITEM_DECIDED, ITEM_REOPENED, PROJECT_COMPLETED, BUDGET_LOW)
LOW_TENTHS = 9  # of the budget
MOST_PROJECTS = 100  # whose webhooks are remembered in one transaction

# A store opens one connection per transaction: what was looked up on it holds until it ends.
_looked_up = BoundedCache[Connection, int, list[tuple[int, frozenset[str]]]](MOST_PROJECTS)


def announce(connection: Connection, project_id: int, kind: str, data: Mapping[str, Any], at: float) -> None:
    """Tell every webhook of the project that wants notices of this kind."""
    announce_all(connection, project_id, kind, [data], at)


def announce_all(
    connection: Connection, project_id: int, kind: str, notices: Sequence[Mapping[str, Any]], at: float
) -> None:
    """Tell several things of one kind at once; costs one look-up per transaction where nobody wants them."""
    wanting = wanted_by(connection, project_id, kind)
    if not wanting or not notices:
        return
    named = [(f"msg_{uuid.uuid4().hex}", dict(data)) for data in notices]
    rows = [
        {"webhook_id": webhook, "message_id": name, "kind": kind, "data": data, "created_at": at, "due_at": at}
        for name, data in named
        for webhook in wanting
    ]
    connection.execute(insert(deliveries), rows)


def wanted_by(connection: Connection, project_id: int, kind: str) -> list[int]:
    """The active webhooks of a project that want this kind of notice; ask first where its data is dear to make."""
    active = _looked_up.get_or_load(connection, project_id, lambda: _active(connection, project_id))
    return [webhook for webhook, kinds in active if kind in kinds]


def budget_low(before: int, after: int, limit: int | None) -> bool:
    """Whether spending, by going from `before` to `after`, came to nine tenths of the limit.

    >>> budget_low(899, 900, 1000), budget_low(900, 950, 1000), budget_low(0, 10**9, None)
    (True, False, False)
    """
    return limit is not None and 10 * before < LOW_TENTHS * limit <= 10 * after


def _active(connection: Connection, project_id: int) -> list[tuple[int, frozenset[str]]]:
    query = (
        select(webhooks.c.id, webhooks.c.kinds)
        .where(webhooks.c.project_id == project_id, webhooks.c.state == "active")
        .order_by(webhooks.c.id)
    )
    return [(row.id, frozenset(row.kinds.split(","))) for row in connection.execute(query)]
