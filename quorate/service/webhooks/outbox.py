"""The notices that wait to be sent: who takes which, and what becomes of them after a try.

A process that takes a notice puts its next try off, so that no other takes it too, and that it is not lost if the
process dies: a notice arrives once or, rarely, more often, each time with the same id.
"""

import random
from collections.abc import Sequence

from sqlalchemy import Connection, exists, func, select, update

from quorate.service.audit_log import log
from quorate.service.store.database import Record
from quorate.service.store.tables import deliveries, webhooks
from quorate.service.webhooks.posting import Outcome

# Seconds between one try and the next: ten tries within 75 hours, as the specification proposes.
WAITS = (5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400)
JITTER = 0.2  # so much longer at most, at random: receivers that come back are not called by all at once
LONGEST_WAIT = 86_400.0
TAKEN_SECONDS = 60.0  # longer than a try may take


def due_webhooks(connection: Connection, now: float) -> list[int]:
    """The active webhooks for which something is to be sent."""
    waiting = exists().where(deliveries.c.webhook_id == webhooks.c.id, deliveries.c.due_at <= now)
    return list(connection.execute(select(webhooks.c.id).where(webhooks.c.state == "active", waiting)).scalars())


def take(connection: Connection, webhook_id: int, now: float, most: int) -> tuple[Record | None, Sequence[Record]]:
    """A webhook and its next notices, those due longest first; of several processes only one gets each."""
    hook = connection.execute(
        select(webhooks).where(webhooks.c.id == webhook_id, webhooks.c.state == "active")
    ).one_or_none()
    if hook is None:
        return None, []
    found = connection.execute(
        select(deliveries)
        .where(deliveries.c.webhook_id == webhook_id, deliveries.c.due_at <= now)
        .order_by(deliveries.c.due_at, deliveries.c.id)
        .limit(most)
        .with_for_update(skip_locked=True)
    ).all()
    taken = update(deliveries).where(deliveries.c.id.in_([row.id for row in found]))
    connection.execute(taken.values(due_at=now + TAKEN_SECONDS, tries=deliveries.c.tries + 1))
    return hook, found


def settle(connection: Connection, tried: Record, outcome: Outcome, now: float) -> None:
    """Write down what came of a try. tried: the notice as it was before."""
    tries = tried.tries + 1
    waiting = None if outcome.arrived or outcome.gone or tries > len(WAITS) else wait(tries, outcome.retry_after)
    connection.execute(
        update(deliveries)
        .where(deliveries.c.id == tried.id)
        .values(
            answer=outcome.answer,
            delivered_at=now if outcome.arrived else None,
            due_at=None if waiting is None else now + waiting,
        )
    )
    if outcome.gone:
        turn_off(connection, tried.webhook_id, "the receiver answered 410 Gone", now)
    elif waiting is None and not outcome.arrived and not _any_arrived(connection, tried):
        turn_off(connection, tried.webhook_id, f"nothing arrived in {tries} tries", now)


def wait(tries: int, retry_after: float | None = None) -> float:
    """How many seconds to wait after so many tries; longer where the receiver asks for it."""
    planned = WAITS[tries - 1] * random.uniform(1, 1 + JITTER)
    return max(planned, min(retry_after or 0.0, LONGEST_WAIT))


def turn_off(connection: Connection, webhook_id: int, why: str, now: float) -> None:
    """Send a webhook nothing more, and tell the log."""
    project = connection.execute(
        update(webhooks)
        .where(webhooks.c.id == webhook_id, webhooks.c.state == "active")
        .values(state="off")
        .returning(webhooks.c.project_id)
    ).scalar_one_or_none()
    if project is not None:
        log(connection, project, "service", "webhook.off", {"webhook": webhook_id, "why": why}, now)


def _any_arrived(connection: Connection, tried: Record) -> bool:
    since = select(func.count()).where(
        deliveries.c.webhook_id == tried.webhook_id, deliveries.c.delivered_at >= tried.created_at
    )
    return bool(connection.execute(since).scalar_one())
