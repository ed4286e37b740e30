"""Accounts: people who sign in. Nobody is given a password: everyone sets it with a link that works once."""

import unicodedata

from sqlalchemy import Connection, select, update

from quorate.service.accounts import credentials
from quorate.service.accounts.permissions import OWNER, ROLES
from quorate.service.audit_log import log
from quorate.service.errors import Conflict, Invalid, NotFound, Refused
from quorate.service.store.database import Record
from quorate.service.store.tables import accounts
from quorate.service.store.upsert import insert_if_new

OWNER_LINK, PASSWORD_LINK = "owner", "password"  # purposes of links
JOIN_PAGE = "/join"  # the link follows a #, which browsers do not send: it stays out of logs


def clean_name(name: str) -> str:
    """Return the canonical spelling of a name, so that two accounts cannot look the same.

    >>> clean_name("  Ann@Example.org ")
    'ann@example.org'
    """
    clean = unicodedata.normalize("NFKC", name).strip().casefold()
    if not (clean and clean.isprintable() and len(clean) <= 200):
        raise Invalid("a name must have 1 to 200 printable characters: choose an e-mail address or any other name")
    return clean


def find_by_name(connection: Connection, name: str) -> Record | None:
    """Return the account with a name, closed or not; None where there is none."""
    return connection.execute(select(accounts).where(accounts.c.name == clean_name(name))).one_or_none()


def get(connection: Connection, account_id: int) -> Record:
    """Return an account by its id."""
    row = connection.execute(select(accounts).where(accounts.c.id == account_id)).one_or_none()
    if row is None:
        raise NotFound(f"there is no account {account_id}")
    return row


def list_all(connection: Connection) -> list[Record]:
    """Return all accounts in the order in which they were created."""
    return list(connection.execute(select(accounts).order_by(accounts.c.id)))


def create(connection: Connection, name: str, role: str, actor: str, now: float) -> int:
    """Create an account without a password; return its id."""
    if role not in ROLES:
        raise Invalid(f"a role is {', '.join(ROLES)}, got {role!r}")
    name = clean_name(name)
    if not insert_if_new(connection, accounts, name=name, role=role, created_at=now):
        raise Conflict(f"the account {name!r} exists already: choose another name")
    account_id = int(connection.execute(select(accounts.c.id).where(accounts.c.name == name)).scalar_one())
    log(connection, None, actor, "account.created", {"account": account_id, "role": role}, now)
    return account_id


def new_password_link(connection: Connection, account_id: int, actor: str, now: float) -> str:
    """Create a link with which the holder of an account sets a password; earlier links end."""
    if get(connection, account_id).state != "active":
        raise Conflict(f"the account {account_id} is closed: create a new one")
    credentials.revoke_links(connection, PASSWORD_LINK, now, account_id=account_id)
    log(connection, None, actor, "account.link", {"account": account_id}, now)
    return credentials.new_link(connection, PASSWORD_LINK, now, account_id=account_id)


def first_owner_link(connection: Connection, address: str, now: float) -> str | None:
    """Create the address where the first owner sets a name and a password; return None where an owner has a password.

    Earlier addresses end.
    """
    owners = select(accounts.c.id).where(
        accounts.c.role == OWNER, accounts.c.state == "active", accounts.c.password_hash.is_not(None)
    )
    if connection.execute(owners.limit(1)).first() is not None:
        return None
    credentials.revoke_links(connection, OWNER_LINK, now)
    return join_address(address, credentials.new_link(connection, OWNER_LINK, now))


def join_address(address: str, link: str) -> str:
    """Return the address of a one-time link."""
    return f"{address.rstrip('/')}{JOIN_PAGE}#{link}"


def open_link(connection: Connection, link: str, name: str | None, password_hash: str, now: float) -> int:
    """Use up a link and set a password with it; return the account's id. The owner's link also creates the account."""
    purpose, account_id = credentials.use_link(connection, link, now)
    if purpose == OWNER_LINK:
        if name is None:
            raise Invalid("the name is missing: choose one to sign in with")
        account_id = create(connection, name, OWNER, "service", now)
    if account_id is None:
        raise Refused("this link is not for an account: ask for a new one")
    set_password(connection, account_id, password_hash, now)
    return account_id


def set_password(
    connection: Connection, account_id: int, password_hash: str, now: float, *, keep: int | None = None
) -> None:
    """Change a password; all sessions end, except the one with the id `keep`."""
    row = get(connection, account_id)
    if row.state != "active":
        raise Refused("this account is closed: ask an owner")
    connection.execute(update(accounts).where(accounts.c.id == account_id).values(password_hash=password_hash))
    credentials.revoke_all(connection, account_id, now, keep=keep, tokens=False)
    log(connection, None, row.name, "account.password", {"account": account_id}, now)


def close(connection: Connection, account_id: int, actor: str, now: float) -> None:
    """Close an account: its sessions and tokens end. The last owner cannot be closed."""
    row = get(connection, account_id)
    if row.state == "closed":
        return
    if row.role == OWNER:
        owners = select(accounts.c.id).where(accounts.c.role == OWNER, accounts.c.state == "active")
        left = connection.execute(owners.order_by(accounts.c.id).with_for_update()).all()  # two cannot close each other
        if len(left) == 1:
            raise Conflict("the last owner cannot be closed: create another owner first")
    connection.execute(update(accounts).where(accounts.c.id == account_id).values(state="closed", password_hash=None))
    credentials.revoke_all(connection, account_id, now, tokens=True)
    log(connection, None, actor, "account.closed", {"account": account_id}, now)
