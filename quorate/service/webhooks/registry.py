"""Webhooks of a project and their deliveries."""

import uuid
from collections.abc import Sequence

from sqlalchemy import Connection, insert, select, update

from quorate.service.audit_log import log
from quorate.service.errors import Conflict, Invalid, NotFound
from quorate.service.store.database import Record
from quorate.service.store.tables import deliveries, webhooks
from quorate.service.webhooks.events import KINDS

MAX_WEBHOOKS = 20  # of a project
PING = "webhook.ping"
ACTIVE, OFF, DELETED = "active", "off", "deleted"


def add(
    connection: Connection, project_id: int, url: str, kinds: Sequence[str], nonce: str, actor: str, at: float
) -> int:
    """Add a webhook and return its id.

    Args:
        connection: a transaction that may write.
        project_id: the project.
        url: where to send events; it must have been checked.
        kinds: the kinds of events to send.
        nonce: from which the secret of the webhook is derived.
        actor: who adds it, for the audit log.
        at: the time.
    """
    unknown = sorted(set(kinds) - set(KINDS))
    if unknown or not kinds:
        raise Invalid(f"kinds must be from {', '.join(KINDS)}, got {', '.join(unknown) or 'none'}")
    if len(all_of(connection, project_id)) >= MAX_WEBHOOKS:
        raise Conflict(f"a project has at most {MAX_WEBHOOKS} webhooks: delete one first")
    listed = ",".join(kind for kind in KINDS if kind in kinds)
    webhook_id = connection.execute(
        insert(webhooks)
        .values(project_id=project_id, url=url, kinds=listed, secret=nonce, state=ACTIVE, created_at=at)
        .returning(webhooks.c.id)
    ).scalar_one()
    log(connection, project_id, actor, "webhook.added", {"webhook": webhook_id, "url": url, "kinds": listed}, at)
    return int(webhook_id)


def all_of(connection: Connection, project_id: int) -> Sequence[Record]:
    """Return the webhooks of a project, oldest first."""
    query = select(webhooks).where(webhooks.c.project_id == project_id, webhooks.c.state != DELETED)
    return connection.execute(query.order_by(webhooks.c.id)).all()


def get(connection: Connection, project_id: int, webhook_id: int) -> Record:
    """Return a webhook of a project."""
    query = select(webhooks).where(
        webhooks.c.id == webhook_id, webhooks.c.project_id == project_id, webhooks.c.state != DELETED
    )
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFound(f"project {project_id} has no webhook {webhook_id}")
    return row


def set_state(connection: Connection, project_id: int, webhook_id: int, state: str, actor: str, at: float) -> None:
    """Turn a webhook off or on, or delete it.

    A deleted webhook keeps its row: a transaction under way may refer to it.

    Args:
        connection: an open transaction.
        project_id: number of the project.
        webhook_id: number of the webhook; an unknown one is refused.
        state: "active", "off" or "deleted".
        actor: who does it, for the log.
        at: time, in seconds since 1970.
    """
    before = get(connection, project_id, webhook_id).state
    if state == before:
        return
    connection.execute(update(webhooks).where(webhooks.c.id == webhook_id).values(state=state))
    if state == DELETED:
        connection.execute(update(deliveries).where(deliveries.c.webhook_id == webhook_id).values(due_at=None))
    log(connection, project_id, actor, f"webhook.{state}", {"webhook": webhook_id}, at)


def ping(connection: Connection, project_id: int, webhook_id: int, at: float) -> int:
    """Send a test event, and return the id of its delivery."""
    _require_active(get(connection, project_id, webhook_id))
    row = {"webhook_id": webhook_id, "message_id": f"msg_{uuid.uuid4().hex}", "kind": PING}
    state = {"data": {"project": project_id, "webhook": webhook_id}, "created_at": at, "due_at": at}
    new = insert(deliveries).values(**row, **state).returning(deliveries.c.id)
    return int(connection.execute(new).scalar_one())


def history(
    connection: Connection, project_id: int, webhook_id: int, *, before: int | None = None, limit: int = 100
) -> Sequence[Record]:
    """Return the deliveries of a webhook, sent or waiting, newest first."""
    get(connection, project_id, webhook_id)
    query = select(deliveries).where(deliveries.c.webhook_id == webhook_id)
    if before is not None:
        query = query.where(deliveries.c.id < before)
    return connection.execute(query.order_by(deliveries.c.id.desc()).limit(limit)).all()


def delivery(connection: Connection, project_id: int, webhook_id: int, delivery_id: int) -> Record:
    """Return a delivery of a webhook."""
    get(connection, project_id, webhook_id)
    query = select(deliveries).where(deliveries.c.id == delivery_id, deliveries.c.webhook_id == webhook_id)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFound(f"webhook {webhook_id} has no delivery {delivery_id}")
    return row


def redeliver(connection: Connection, project_id: int, webhook_id: int, delivery_id: int, at: float) -> None:
    """Send a delivery again, with the same message id, by which the receiver can recognise it."""
    _require_active(get(connection, project_id, webhook_id))
    row = delivery(connection, project_id, webhook_id, delivery_id)
    reset = update(deliveries).where(deliveries.c.id == row.id)
    connection.execute(reset.values(due_at=at, tries=0, delivered_at=None))


def _require_active(row: Record) -> None:
    if row.state != ACTIVE:
        raise Conflict(f"webhook {row.id} is {row.state}: turn it on first")
