"""Voters: who votes in a project."""

import secrets

from sqlalchemy import Connection, insert, select

from quorate.service.store.tables import voters
from quorate.service.usecases.authorise import Who


def voter_of(connection: Connection, who: Who, project_id: int, kind: str, now: float) -> int:
    """The voter that an account is in a project, made when it first votes there."""
    found = select(voters.c.id).where(voters.c.project_id == project_id, voters.c.account_id == who.account_id)
    voter_id = connection.execute(found).scalar_one_or_none()
    if voter_id is not None:
        return int(voter_id)
    values = {
        "project_id": project_id,
        "code": f"v{secrets.token_hex(6)}",
        "kind": kind,
        "state": "active",
        "account_id": who.account_id,
        "created_at": now,
    }
    return int(connection.execute(insert(voters).values(values).returning(voters.c.id)).scalar_one())
