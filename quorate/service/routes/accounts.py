"""Accounts, for owners: invite, list, close. Changes need a session; an API token may only list accounts."""

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from quorate.service.accounts import accounts
from quorate.service.accounts.permissions import may_change_accounts, may_manage_accounts
from quorate.service.routes.http.authentication import Caller
from quorate.service.routes.http.errors import PROBLEMS
from quorate.service.routes.http.params import Body, Id, Line, StoreOf, base_url
from quorate.service.schemas import Role

router = APIRouter(prefix="/api/accounts", tags=["accounts"], responses=PROBLEMS)


class NewAccount(Body):
    """Name and role of a new account."""

    name: Line = Field(examples=["ben@example.org"])
    role: Role = Field(examples=["requester"])


class Account(BaseModel):
    """Account without its secrets."""

    id: int
    name: str
    role: Role
    state: str = Field(examples=["active", "closed"])
    has_password: bool
    created_at: float


class Invitation(BaseModel):
    """Account, and a link by which its holder sets a password. The link works once, for seven days."""

    id: int
    link: str = Field(examples=["https://quorate.example.org/join#ql_..."])


@router.post("", status_code=201)
def invite(sent: NewAccount, who: Caller, store: StoreOf, request: Request) -> Invitation:
    """Create an account; send the link to its holder."""
    may_change_accounts(who)
    with store.write() as connection:
        account_id = accounts.create(connection, sent.name, sent.role, who.actor, store.clock())
        link = accounts.new_password_link(connection, account_id, who.actor, store.clock())
    return Invitation(id=account_id, link=accounts.join_address(base_url(request), link))


@router.get("")
def list_accounts(who: Caller, store: StoreOf) -> list[Account]:
    """List all accounts."""
    may_manage_accounts(who)
    with store.read() as connection:
        rows = accounts.list_all(connection)
    return [
        Account(
            id=row.id,
            name=row.name,
            role=row.role,
            state=row.state,
            has_password=row.password_hash is not None,
            created_at=row.created_at,
        )
        for row in rows
    ]


@router.post("/{account_id}/link", status_code=201)
def new_link(account_id: Id, who: Caller, store: StoreOf, request: Request) -> Invitation:
    """Create a new link to set the password of an account, such as a forgotten one; earlier links end."""
    may_change_accounts(who)
    with store.write() as connection:
        link = accounts.new_password_link(connection, account_id, who.actor, store.clock())
    return Invitation(id=account_id, link=accounts.join_address(base_url(request), link))


@router.post("/{account_id}/close", status_code=204)
def close(account_id: Id, who: Caller, store: StoreOf) -> None:
    """Close an account: its sessions and tokens end at once."""
    may_change_accounts(who)
    with store.write() as connection:
        accounts.close(connection, account_id, who.actor, store.clock())
