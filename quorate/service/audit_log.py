"""The audit log: who did what, and when. It is append-only."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, insert

from quorate.service.store.tables import events

_ADD = insert(events)


def log(
    connection: Connection, project_id: int | None, actor: str, kind: str, data: Mapping[str, Any], at: float
) -> None:
    """Add an event, in the transaction of the change that it records.

    Args:
        connection: a transaction that may write.
        project_id: the project; None = the whole service.
        actor: who did it.
        kind: of the event, such as `items.imported`.
        data: its details.
        at: the time.
    """
    connection.execute(_ADD, {"project_id": project_id, "actor": actor, "kind": kind, "data": dict(data), "at": at})
