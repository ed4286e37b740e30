"""Credentials: sessions, API tokens and one-time links. Only their hashes are stored."""

import hashlib
import secrets
from typing import Any

from sqlalchemy import ColumnElement, Connection, bindparam, insert, or_, select, update

from quorate.service.accounts.permissions import EXPERT, SCOPES, VOTE, WORKER, Principal
from quorate.service.errors import Refused
from quorate.service.store.tables import accounts, credentials, voters

SESSION, TOKEN, LINK = "session", "token", "link"
SESSION_SECONDS = 14 * 86_400.0
LINK_SECONDS = 7 * 86_400.0
MAX_LENGTH = 200  # of a credential in a request

_LIVE = (
    select(
        credentials.c.id,
        credentials.c.kind,
        credentials.c.account_id,
        credentials.c.voter_id,
        credentials.c.project_id,
        credentials.c.scopes,
        credentials.c.expires_at,
        accounts.c.name,
        accounts.c.role,
        accounts.c.state,
        voters.c.code,
        voters.c.kind.label("voter_kind"),
    )
    .select_from(
        credentials.outerjoin(accounts, accounts.c.id == credentials.c.account_id).outerjoin(
            voters, voters.c.id == credentials.c.voter_id
        )
    )
    .where(credentials.c.revoked_at.is_(None))
)
# On the path of every vote: built once, it is one lookup in a unique index and two by primary key.
_BY_HASH = _LIVE.where(credentials.c.hash == bindparam("hash"))
_BY_ID = _LIVE.where(credentials.c.id == bindparam("id"))


def find(connection: Connection, secret: str, now: float) -> Principal | None:
    """Return the holder of a session or token; None if it is unknown, expired or revoked, or its account is closed."""
    if len(secret) > MAX_LENGTH:
        return None
    return _principal(connection.execute(_BY_HASH, {"hash": hash_secret(secret)}).one_or_none(), now)


def find_by_id(connection: Connection, credential_id: int, now: float) -> Principal | None:
    """Return the holder of the session or token with an id, as `find` does."""
    return _principal(connection.execute(_BY_ID, {"id": credential_id}).one_or_none(), now)


def _principal(row: Any, now: float) -> Principal | None:
    if row is None or row.kind == LINK or (row.expires_at is not None and row.expires_at <= now):
        return None
    return _voter(row) if row.voter_id is not None else _account(row)


def new_session(connection: Connection, account_id: int, now: float) -> str:
    """Create a session of an account, with all its permissions."""
    return _new(
        connection, SESSION, now, account_id=account_id, scopes=",".join(SCOPES), expires_at=now + SESSION_SECONDS
    )


def new_voter_session(connection: Connection, voter_id: int, project_id: int, now: float) -> str:
    """Create a session of a voter, who may vote in one project and nothing else."""
    ends = now + SESSION_SECONDS
    return _new(connection, SESSION, now, voter_id=voter_id, project_id=project_id, scopes=VOTE, expires_at=ends)


def new_token(
    connection: Connection,
    account_id: int,
    now: float,
    *,
    scopes: frozenset[str],
    name: str,
    project_id: int | None = None,
    expires_at: float | None = None,
) -> str:
    """Create an API token of an account, limited to some scopes."""
    sorted_scopes = ",".join(scope for scope in SCOPES if scope in scopes)
    return _new(
        connection,
        TOKEN,
        now,
        account_id=account_id,
        scopes=sorted_scopes,
        name=name,
        project_id=project_id,
        expires_at=expires_at,
    )


def new_link(connection: Connection, purpose: str, now: float, *, account_id: int | None = None) -> str:
    """Create a link that works once. purpose: for example `owner` or `password`."""
    return _new(connection, LINK, now, account_id=account_id, scopes=purpose, expires_at=now + LINK_SECONDS)


def use_link(connection: Connection, secret: str, now: float) -> tuple[str, int | None]:
    """Use up a link; return its purpose and account. Of two people who open it at once, one succeeds."""
    used = update(credentials).where(*_usable_link(secret, now)).values(used_at=now)
    return _purpose(connection.execute(used.returning(credentials.c.scopes, credentials.c.account_id)).one_or_none())


def read_link(connection: Connection, secret: str, now: float) -> tuple[str, int | None]:
    """Return the purpose and account of a link without using it up."""
    query = select(credentials.c.scopes, credentials.c.account_id).where(*_usable_link(secret, now))
    return _purpose(connection.execute(query).one_or_none())


def revoke_links(connection: Connection, purpose: str, now: float, *, account_id: int | None = None) -> None:
    """End the unused links for a purpose, so that only the newest one works."""
    _revoke(
        connection,
        now,
        credentials.c.kind == LINK,
        credentials.c.scopes == purpose,
        credentials.c.account_id.is_not_distinct_from(account_id),
    )


def revoke(connection: Connection, credential_id: int, now: float) -> None:
    """End a session, token or link."""
    _revoke(connection, now, credentials.c.id == credential_id)


def revoke_all(connection: Connection, account_id: int, now: float, *, keep: int | None = None, tokens: bool) -> None:
    """End all sessions and links of an account except one, and with `tokens` its tokens too."""
    conditions = [credentials.c.account_id == account_id, credentials.c.id != (keep or 0)]
    _revoke(connection, now, *conditions, *([] if tokens else [credentials.c.kind != TOKEN]))


def delete_old(connection: Connection, before: float) -> int:
    """Delete credentials that ended before a time; return how many."""
    old = or_(credentials.c.expires_at < before, credentials.c.revoked_at < before, credentials.c.used_at < before)
    return connection.execute(credentials.delete().where(old)).rowcount


def hash_secret(secret: str) -> str:
    """Return the hash of a secret. Secrets are long and random, so a fast hash is enough."""
    return hashlib.sha256(secret.encode(errors="surrogatepass")).hexdigest()


def _new(connection: Connection, kind: str, now: float, **columns: str | int | float | None) -> str:
    secret = f"q{kind[0]}_{secrets.token_urlsafe(32)}"
    connection.execute(insert(credentials).values(hash=hash_secret(secret), kind=kind, created_at=now, **columns))
    return secret


def _revoke(connection: Connection, now: float, *conditions: ColumnElement[bool]) -> None:
    live = credentials.c.revoked_at.is_(None)
    connection.execute(update(credentials).where(*conditions, live).values(revoked_at=now))


def _usable_link(secret: str, now: float) -> tuple[ColumnElement[bool], ...]:
    return (
        credentials.c.hash == hash_secret(secret[:MAX_LENGTH]),
        credentials.c.kind == LINK,
        credentials.c.used_at.is_(None),
        credentials.c.revoked_at.is_(None),
        credentials.c.expires_at > now,
    )


def _purpose(row: Any) -> tuple[str, int | None]:
    if row is None:
        raise Refused("this link is unknown, expired or was used before: ask for a new one")
    return row.scopes, row.account_id


def _voter(row: Any) -> Principal:
    return Principal(
        credential_id=row.id,
        kind=row.kind,
        account_id=None,
        role=EXPERT if row.voter_kind == "expert" else WORKER,
        voter_id=row.voter_id,
        project_id=row.project_id,
        scopes=frozenset({VOTE}),
        name=row.code,
    )


def _account(row: Any) -> Principal | None:
    if row.state != "active":
        return None
    return Principal(
        credential_id=row.id,
        kind=row.kind,
        account_id=row.account_id,
        role=row.role,
        voter_id=None,
        project_id=row.project_id,
        scopes=frozenset(row.scopes.split(",")),
        name=row.name,
    )
