"""The audit log: who did what, and when. Nothing is ever taken out of it."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, insert

from quorate.service.store.tables import events

_ADD = insert(events)


def log(
    connection: Connection, project_id: int | None, actor: str, kind: str, data: Mapping[str, Any], at: float
) -> None:
    """Write down what happened, in the transaction in which it happens."""
    connection.execute(_ADD, {"project_id": project_id, "actor": actor, "kind": kind, "data": dict(data), "at": at})
