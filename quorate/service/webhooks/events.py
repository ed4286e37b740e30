"""Events of a project: each is stored as one delivery per webhook that subscribes to it, in the same transaction.

So an event is sent if and only if the change that it reports was committed; `webhooks.sender` sends the deliveries.
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
LOW_TENTHS = 9  # of the budget that are spent when it counts as low
CACHE_SIZE = 100  # projects whose webhooks are cached in one transaction

# A store opens one connection per transaction: what was read on it is valid until it ends.
_active_webhooks = BoundedCache[Connection, int, list[tuple[int, frozenset[str]]]](CACHE_SIZE)


def announce(connection: Connection, project_id: int, kind: str, data: Mapping[str, Any], at: float) -> None:
    """Send an event to every webhook of the project that subscribes to its kind."""
    announce_all(connection, project_id, kind, [data], at)


def announce_all(
    connection: Connection, project_id: int, kind: str, events: Sequence[Mapping[str, Any]], at: float
) -> None:
    """Send several events of one kind; without subscribers this costs one query per transaction."""
    webhook_ids = subscribers(connection, project_id, kind)
    if not webhook_ids or not events:
        return
    messages = [(f"msg_{uuid.uuid4().hex}", dict(data)) for data in events]
    rows = [
        {"webhook_id": webhook_id, "message_id": message_id, "kind": kind, "data": data, "created_at": at, "due_at": at}
        for message_id, data in messages
        for webhook_id in webhook_ids
    ]
    connection.execute(insert(deliveries), rows)


def subscribers(connection: Connection, project_id: int, kind: str) -> list[int]:
    """Return the active webhooks of a project for a kind of event; call it first where its data is expensive."""
    active = _active_webhooks.get_or_load(connection, project_id, lambda: _read_active(connection, project_id))
    return [webhook_id for webhook_id, kinds in active if kind in kinds]


def budget_low(before: int, after: int, limit: int | None) -> bool:
    """Return whether spending reached nine tenths of the limit by going from `before` to `after`.

    >>> budget_low(899, 900, 1000), budget_low(900, 950, 1000), budget_low(0, 10**9, None)
    (True, False, False)
    """
    return limit is not None and 10 * before < LOW_TENTHS * limit <= 10 * after


def _read_active(connection: Connection, project_id: int) -> list[tuple[int, frozenset[str]]]:
    query = (
        select(webhooks.c.id, webhooks.c.kinds)
        .where(webhooks.c.project_id == project_id, webhooks.c.state == "active")
        .order_by(webhooks.c.id)
    )
    return [(row.id, frozenset(row.kinds.split(","))) for row in connection.execute(query)]
