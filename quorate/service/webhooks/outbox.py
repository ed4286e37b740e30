"""Deliveries that wait to be sent: which process takes which, and what follows an attempt.

A process that takes a delivery postpones its next attempt, so that no other process takes it too and that it is not
lost if the process dies: a message arrives once or, rarely, more often, each time with the same id.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, exists, func, select, update

from quorate.service.audit_log import log
from quorate.service.store.database import Record
from quorate.service.store.tables import deliveries, webhooks

# Seconds between attempts: ten attempts within 75 hours, as the Standard Webhooks specification proposes.
WAITS = (5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400)
JITTER = 0.2  # random extra share of a wait, so that a receiver that recovers is not called by everyone at once
MAX_WAIT = 86_400.0
LEASE_SECONDS = 60.0  # for which a process reserves a delivery: longer than an attempt may take


@dataclass(frozen=True, slots=True)
class DeliveryOutcome:
    """The outcome of an attempt to send a delivery.

    Attributes:
        delivered: whether the receiver accepted it.
        answer: the status and the start of the response, or why there was none.
        gone: whether the receiver wants no more deliveries (410 Gone).
        retry_after: seconds to wait, where the receiver asked for it.
    """

    delivered: bool
    answer: str
    gone: bool = False
    retry_after: float | None = None


def due_webhooks(connection: Connection, now: float) -> list[int]:
    """Return the ids of the active webhooks that have deliveries to send."""
    has_due = exists().where(deliveries.c.webhook_id == webhooks.c.id, deliveries.c.due_at <= now)
    return list(connection.execute(select(webhooks.c.id).where(webhooks.c.state == "active", has_due)).scalars())


def take(connection: Connection, webhook_id: int, now: float, limit: int) -> tuple[Record | None, Sequence[Record]]:
    """Return a webhook and its next deliveries, longest due first; each goes to one of several processes only."""
    webhook = connection.execute(
        select(webhooks).where(webhooks.c.id == webhook_id, webhooks.c.state == "active")
    ).one_or_none()
    if webhook is None:
        return None, []
    rows = connection.execute(
        select(deliveries)
        .where(deliveries.c.webhook_id == webhook_id, deliveries.c.due_at <= now)
        .order_by(deliveries.c.due_at, deliveries.c.id)
        .limit(limit)
        .with_for_update(skip_locked=True)
    ).all()
    reserve = update(deliveries).where(deliveries.c.id.in_([row.id for row in rows]))
    connection.execute(reserve.values(due_at=now + LEASE_SECONDS, tries=deliveries.c.tries + 1))
    return webhook, rows


def settle(connection: Connection, delivery: Record, outcome: DeliveryOutcome, now: float) -> None:
    """Record the outcome of an attempt. delivery: the row as it was before the attempt."""
    tries = delivery.tries + 1
    is_last = outcome.delivered or outcome.gone or tries > len(WAITS)
    seconds = None if is_last else wait(tries, outcome.retry_after)
    connection.execute(
        update(deliveries)
        .where(deliveries.c.id == delivery.id)
        .values(
            answer=outcome.answer,
            delivered_at=now if outcome.delivered else None,
            due_at=None if seconds is None else now + seconds,
        )
    )
    if outcome.gone:
        turn_off(connection, delivery.webhook_id, "the receiver answered 410 Gone", now)
    elif seconds is None and not outcome.delivered and not _any_delivered_since(connection, delivery):
        turn_off(connection, delivery.webhook_id, f"nothing was delivered in {tries} attempts", now)


def wait(tries: int, retry_after: float | None = None) -> float:
    """Return the seconds to wait after a number of attempts; longer where the receiver asks for it."""
    planned = WAITS[tries - 1] * random.uniform(1, 1 + JITTER)
    return max(planned, min(retry_after or 0.0, MAX_WAIT))


def turn_off(connection: Connection, webhook_id: int, why: str, now: float) -> None:
    """Stop sending to a webhook, and log why."""
    project = connection.execute(
        update(webhooks)
        .where(webhooks.c.id == webhook_id, webhooks.c.state == "active")
        .values(state="off")
        .returning(webhooks.c.project_id)
    ).scalar_one_or_none()
    if project is not None:
        log(connection, project, "service", "webhook.off", {"webhook": webhook_id, "why": why}, now)


def _any_delivered_since(connection: Connection, delivery: Record) -> bool:
    query = select(func.count()).where(
        deliveries.c.webhook_id == delivery.webhook_id, deliveries.c.delivered_at >= delivery.created_at
    )
    return bool(connection.execute(query).scalar_one())
