"""API tokens, which programs send instead of a password. Each is shown once, when it is created."""

from sqlalchemy import ColumnElement, Connection, func, select

from quorate.service.accounts.credentials import TOKEN, new_token, revoke
from quorate.service.accounts.permissions import SCOPES
from quorate.service.audit_log import log
from quorate.service.errors import Conflict, Invalid, NotFound
from quorate.service.projects import projects
from quorate.service.store.database import Record
from quorate.service.store.tables import credentials

MAX_TOKENS = 100  # of one account that are live


def create(
    connection: Connection,
    account_id: int,
    now: float,
    *,
    name: str,
    scopes: frozenset[str],
    project_id: int | None,
    expires_at: float | None,
    actor: str,
) -> str:
    """Create a token for one project, or for all projects of the account."""
    if not scopes or not scopes <= set(SCOPES):
        raise Invalid(f"scopes must be one or more of {', '.join(SCOPES)}, got {', '.join(sorted(scopes)) or 'none'}")
    if project_id is not None:
        projects.get(connection, project_id)
    n = connection.execute(select(func.count()).select_from(credentials).where(*_live(account_id, now))).scalar_one()
    if n >= MAX_TOKENS:
        raise Conflict(f"an account can have {MAX_TOKENS} tokens: revoke some that are not used")
    log(connection, project_id, actor, "token.created", {"name": name, "scopes": sorted(scopes)}, now)
    return new_token(
        connection, account_id, now, scopes=scopes, name=name, project_id=project_id, expires_at=expires_at
    )


def list_tokens(connection: Connection, account_id: int, now: float) -> list[Record]:
    """Return the live tokens of an account, without their secrets."""
    query = select(
        credentials.c.id,
        credentials.c.name,
        credentials.c.scopes,
        credentials.c.project_id,
        credentials.c.created_at,
        credentials.c.expires_at,
    ).where(*_live(account_id, now))
    return list(connection.execute(query.order_by(credentials.c.id)))


def revoke_own(connection: Connection, account_id: int, token_id: int, actor: str, now: float) -> None:
    """Revoke a token of the account."""
    if token_id not in {row.id for row in list_tokens(connection, account_id, now)}:
        raise NotFound(f"there is no token {token_id} of yours")
    revoke(connection, token_id, now)
    log(connection, None, actor, "token.revoked", {"token": token_id}, now)


def _live(account_id: int, now: float) -> tuple[ColumnElement[bool], ...]:
    return (
        credentials.c.account_id == account_id,
        credentials.c.kind == TOKEN,
        credentials.c.revoked_at.is_(None),
        credentials.c.expires_at.is_(None) | (credentials.c.expires_at > now),
    )
