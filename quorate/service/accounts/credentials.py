"""What proves who somebody is: sessions, API tokens, one-time links. Only their hashes are kept."""

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
LONGEST = 200  # of a credential as it is sent

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
# On the path of every vote, so it is built once, and is one look-up by a unique index with two by primary key.
_find = _LIVE.where(credentials.c.hash == bindparam("hash"))
_find_by_id = _LIVE.where(credentials.c.id == bindparam("id"))


def find(connection: Connection, secret: str, now: float) -> Principal | None:
    """Who holds this session or token; none where it is unknown, too old or revoked, or its account is closed."""
    if len(secret) > LONGEST:
        return None
    return _who(connection.execute(_find, {"hash": hashed(secret)}).one_or_none(), now)


def find_by_id(connection: Connection, credential_id: int, now: float) -> Principal | None:
    """Who holds the session or token with this number, as `find` tells it."""
    return _who(connection.execute(_find_by_id, {"id": credential_id}).one_or_none(), now)


def _who(row: Any, now: float) -> Principal | None:
    if row is None or row.kind == LINK or (row.expires_at is not None and row.expires_at <= now):
        return None
    return _voter(row) if row.voter_id is not None else _account(row)


def new_session(connection: Connection, account_id: int, now: float) -> str:
    """A session of an account that may do whatever the account may."""
    return _new(
        connection, SESSION, now, account_id=account_id, scopes=",".join(SCOPES), expires_at=now + SESSION_SECONDS
    )


def new_voter_session(connection: Connection, voter_id: int, project_id: int, now: float) -> str:
    """A session of a voter, who may vote in one project and nothing else."""
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
    """An API token of an account, for what its scopes say."""
    listed = ",".join(scope for scope in SCOPES if scope in scopes)
    return _new(
        connection,
        TOKEN,
        now,
        account_id=account_id,
        scopes=listed,
        name=name,
        project_id=project_id,
        expires_at=expires_at,
    )


def new_link(connection: Connection, purpose: str, now: float, *, account_id: int | None = None) -> str:
    """A link that works once. `purpose` says what for, such as `owner` or `password`."""
    return _new(connection, LINK, now, account_id=account_id, scopes=purpose, expires_at=now + LINK_SECONDS)


def use_link(connection: Connection, secret: str, now: float) -> tuple[str, int | None]:
    """Use up a link: its purpose and account. Of two who open it at once, one succeeds."""
    usable = _usable_link(secret, now)
    taken = update(credentials).where(*usable).values(used_at=now)
    return _purpose(connection.execute(taken.returning(credentials.c.scopes, credentials.c.account_id)).one_or_none())


def look_at_link(connection: Connection, secret: str, now: float) -> tuple[str, int | None]:
    """What a link is for, and for which account, without using it up."""
    found = select(credentials.c.scopes, credentials.c.account_id).where(*_usable_link(secret, now))
    return _purpose(connection.execute(found).one_or_none())


def revoke_links(connection: Connection, purpose: str, now: float, *, account_id: int | None = None) -> None:
    """End the links for a purpose that nobody has used yet, so that only the newest works."""
    _revoke(
        connection,
        now,
        credentials.c.kind == LINK,
        credentials.c.scopes == purpose,
        credentials.c.account_id.is_not_distinct_from(account_id),
    )


def revoke(connection: Connection, credential_id: int, now: float) -> None:
    """End one session, token or link."""
    _revoke(connection, now, credentials.c.id == credential_id)


def revoke_all(connection: Connection, account_id: int, now: float, *, but: int | None = None, tokens: bool) -> None:
    """End all sessions and links of an account, but one; and its tokens where it is closed."""
    which = [credentials.c.account_id == account_id, credentials.c.id != (but or 0)]
    _revoke(connection, now, *which, *([] if tokens else [credentials.c.kind != TOKEN]))


def forget_old(connection: Connection, before: float) -> int:
    """Delete what ended before a time. Returns how many."""
    old = or_(credentials.c.expires_at < before, credentials.c.revoked_at < before, credentials.c.used_at < before)
    return connection.execute(credentials.delete().where(old)).rowcount


def hashed(secret: str) -> str:
    """What is kept of a secret. It is long and random, so a fast hash is enough."""
    return hashlib.sha256(secret.encode(errors="surrogatepass")).hexdigest()


def _new(connection: Connection, kind: str, now: float, **columns: str | int | float | None) -> str:
    secret = f"q{kind[0]}_{secrets.token_urlsafe(32)}"
    connection.execute(insert(credentials).values(hash=hashed(secret), kind=kind, created_at=now, **columns))
    return secret


def _revoke(connection: Connection, now: float, *which: ColumnElement[bool]) -> None:
    live = credentials.c.revoked_at.is_(None)
    connection.execute(update(credentials).where(*which, live).values(revoked_at=now))


def _usable_link(secret: str, now: float) -> tuple[ColumnElement[bool], ...]:
    return (
        credentials.c.hash == hashed(secret[:LONGEST]),
        credentials.c.kind == LINK,
        credentials.c.used_at.is_(None),
        credentials.c.revoked_at.is_(None),
        credentials.c.expires_at > now,
    )


def _purpose(row: Any) -> tuple[str, int | None]:
    if row is None:
        raise Refused("this link is unknown, too old or was used before: ask for a new one")
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
