"""Accounts: who may sign in. Nobody gets a password from somebody else: each sets it by a link that works once."""

import unicodedata

from sqlalchemy import Connection, select, update

from quorate.service.accounts import credentials
from quorate.service.accounts.permissions import OWNER, ROLES
from quorate.service.audit_log import log
from quorate.service.errors import Conflict, Invalid, NotFound, Refused
from quorate.service.store.database import Record
from quorate.service.store.tables import accounts
from quorate.service.store.upsert import insert_if_new

OWNER_LINK, PASSWORD_LINK = "owner", "password"  # what a link is for
JOIN_PAGE = "/join"  # the link is behind a #, which browsers do not send: it stays out of logs


def clean_name(name: str) -> str:
    """The one spelling of a name, so that two accounts cannot look the same.

    >>> clean_name("  Ann@Example.org ")
    'ann@example.org'
    """
    clean = unicodedata.normalize("NFKC", name).strip().casefold()
    if not (clean and clean.isprintable() and len(clean) <= 200):
        raise Invalid("a name must have 1 to 200 printable characters: give an e-mail address or any other name")
    return clean


def find_by_name(connection: Connection, name: str) -> Record | None:
    """The account that signs in by a name, closed or not."""
    return connection.execute(select(accounts).where(accounts.c.name == clean_name(name))).one_or_none()


def get(connection: Connection, account_id: int) -> Record:
    """One account."""
    row = connection.execute(select(accounts).where(accounts.c.id == account_id)).one_or_none()
    if row is None:
        raise NotFound(f"there is no account {account_id}")
    return row


def list_all(connection: Connection) -> list[Record]:
    """All accounts, in the order in which they were made."""
    return list(connection.execute(select(accounts).order_by(accounts.c.id)))


def create(connection: Connection, name: str, role: str, actor: str, now: float) -> int:
    """A new account that has no password yet; its id."""
    if role not in ROLES:
        raise Invalid(f"a role is {', '.join(ROLES)}, got {role!r}")
    name = clean_name(name)
    if not insert_if_new(connection, accounts, name=name, role=role, created_at=now):
        raise Conflict(f"there is an account {name!r} already: choose another name")
    account_id = int(connection.execute(select(accounts.c.id).where(accounts.c.name == name)).scalar_one())
    log(connection, None, actor, "account.created", {"account": account_id, "role": role}, now)
    return account_id


def new_password_link(connection: Connection, account_id: int, actor: str, now: float) -> str:
    """A link by which the holder of an account sets a password. Earlier ones end."""
    if get(connection, account_id).state != "active":
        raise Conflict(f"the account {account_id} is closed: make a new one")
    credentials.revoke_links(connection, PASSWORD_LINK, now, account_id=account_id)
    log(connection, None, actor, "account.link", {"account": account_id}, now)
    return credentials.new_link(connection, PASSWORD_LINK, now, account_id=account_id)


def first_owner_link(connection: Connection, address: str, now: float) -> str | None:
    """Where the first owner sets a name and a password; none where an owner has one. The last link printed counts."""
    owners = select(accounts.c.id).where(
        accounts.c.role == OWNER, accounts.c.state == "active", accounts.c.password_hash.is_not(None)
    )
    if connection.execute(owners.limit(1)).first() is not None:
        return None
    credentials.revoke_links(connection, OWNER_LINK, now)
    return join_address(address, credentials.new_link(connection, OWNER_LINK, now))


def join_address(address: str, link: str) -> str:
    """Where a one-time link is opened."""
    return f"{address.rstrip('/')}{JOIN_PAGE}#{link}"


def open_link(connection: Connection, link: str, name: str | None, password_hash: str, now: float) -> int:
    """Use up a link, and set a password by it; the account's id. The owner's link also makes the account."""
    purpose, account_id = credentials.use_link(connection, link, now)
    if purpose == OWNER_LINK:
        if name is None:
            raise Invalid("give a name to sign in by")
        account_id = create(connection, name, OWNER, "service", now)
    if account_id is None:
        raise Refused("this link is not for an account")
    set_password(connection, account_id, password_hash, now)
    return account_id


def set_password(
    connection: Connection, account_id: int, password_hash: str, now: float, *, keep: int | None = None
) -> None:
    """Change a password: all other sessions end."""
    row = get(connection, account_id)
    if row.state != "active":
        raise Refused("this account is closed: ask an owner")
    connection.execute(update(accounts).where(accounts.c.id == account_id).values(password_hash=password_hash))
    credentials.revoke_all(connection, account_id, now, but=keep, tokens=False)
    log(connection, None, row.name, "account.password", {"account": account_id}, now)


def close(connection: Connection, account_id: int, actor: str, now: float) -> None:
    """Close an account: its sessions and tokens end. The last owner stays."""
    row = get(connection, account_id)
    if row.state == "closed":
        return
    if row.role == OWNER:
        owners = select(accounts.c.id).where(accounts.c.role == OWNER, accounts.c.state == "active")
        left = connection.execute(owners.order_by(accounts.c.id).with_for_update()).all()  # two cannot close each other
        if len(left) == 1:
            raise Conflict("the last owner cannot be closed: make another owner first")
    connection.execute(update(accounts).where(accounts.c.id == account_id).values(state="closed", password_hash=None))
    credentials.revoke_all(connection, account_id, now, tokens=True)
    log(connection, None, actor, "account.closed", {"account": account_id}, now)
