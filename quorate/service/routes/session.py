"""Sessions: signing in and out, the own password, and one-time links."""

from dataclasses import asdict
from typing import Annotated, Literal

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from quorate.service.accounts import accounts, credentials
from quorate.service.accounts.passwords import hash_password, is_password
from quorate.service.accounts.permissions import Principal, may_change_own_account
from quorate.service.errors import Conflict, Invalid, NotSignedIn, Refused
from quorate.service.routes.http.authentication import Caller, csrf_value, forget_session, session_of, set_session
from quorate.service.routes.http.errors import PROBLEMS
from quorate.service.routes.http.params import Body, Line, Secret, StoreOf, client_address
from quorate.service.schemas import Role
from quorate.service.store.database import Store

router = APIRouter(prefix="/api/session", tags=["session"], responses=PROBLEMS)


class SignIn(Body):
    """Name and password of an account."""

    name: Line = Field(examples=["ann@example.org"])
    password: Secret = Field(examples=["correct horse battery"])


class NewPassword(Body):
    """Current and new password."""

    old: Secret = Field(examples=["correct horse battery"])
    new: Secret = Field(examples=["staple another horse"])


class Link(Body):
    """One-time link: the part of its URL after the #."""

    link: Secret = Field(examples=["ql_..."])


class Join(Link):
    """One-time link, the password to set, and the name of the first owner."""

    name: Line | None = Field(None, examples=["ann@example.org"])
    password: Secret = Field(examples=["correct horse battery"])


class LinkPurpose(BaseModel):
    """Purpose of a link: `owner` creates the first account, `password` sets the password of an account."""

    purpose: Literal["owner", "password"]
    name: str | None


class Session(BaseModel):
    """Caller. A page sends `csrf` as X-CSRF-Token with every request that changes something."""

    name: str
    role: Annotated[Role, Field(examples=["owner"])]
    account_id: int | None
    voter_id: int | None
    project_id: int | None
    scopes: list[str]
    csrf: str


@router.post("")
def sign_in(sent: SignIn, store: StoreOf, request: Request, response: Response) -> Session:
    """Sign in with name and password; browsers get a cookie."""
    request.app.state.limits.take_sign_in(sent.name, client_address(request))
    with store.read() as connection:
        account = accounts.find_by_name(connection, sent.name)
    if not is_password(sent.password, None if account is None else account.password_hash) or account is None:
        raise NotSignedIn("name or password is wrong: try again, or ask an owner for a new link")
    return _start(store, request, response, account.id, account.password_hash)


@router.get("")
def show(who: Caller, request: Request) -> Session:
    """Return the caller."""
    return _to_session(request, who, session_of(request))


@router.delete("", status_code=204)
def sign_out(who: Caller, store: StoreOf, request: Request, response: Response) -> None:
    """End this session."""
    if who.kind != credentials.SESSION:
        raise Conflict("a token is not signed in: revoke it with DELETE /api/tokens/{id}")
    with store.write() as connection:
        credentials.revoke(connection, who.credential_id, store.clock())
    forget_session(request, response)


@router.put("/password", status_code=204)
def change_password(sent: NewPassword, who: Caller, store: StoreOf, request: Request) -> None:
    """Change the own password; all other sessions end."""
    account_id = may_change_own_account(who)
    request.app.state.limits.take_sign_in(who.name, client_address(request))
    with store.read() as connection:
        account = accounts.get(connection, account_id)
    if not is_password(sent.old, account.password_hash):
        raise Refused("the old password is wrong: try again, or ask an owner for a new link")
    hashed = hash_password(sent.new)
    with store.write() as connection:
        accounts.set_password(connection, account_id, hashed, store.clock(), keep=who.credential_id)


@router.post("/link")
def look_at_link(sent: Link, store: StoreOf, request: Request) -> LinkPurpose:
    """Return the purpose of a link without using it up."""
    request.app.state.limits.take_link(client_address(request))
    with store.read() as connection:
        purpose, account_id = credentials.read_link(connection, sent.link, store.clock())
        name = None if account_id is None else accounts.get(connection, account_id).name
    return LinkPurpose.model_validate({"purpose": purpose, "name": name})


@router.post("/join")
def join(sent: Join, store: StoreOf, request: Request, response: Response) -> Session:
    """Set a password with a one-time link, and sign in."""
    purpose = look_at_link(Link(link=sent.link), store, request).purpose  # checked first, since hashing is slow
    if purpose == accounts.OWNER_LINK and sent.name is None:
        raise Invalid("give a name to sign in with")
    hashed = hash_password(sent.password)
    with store.write() as connection:
        account_id = accounts.open_link(connection, sent.link, sent.name, hashed, store.clock())
    return _start(store, request, response, account_id, hashed)


def _start(store: Store, request: Request, response: Response, account_id: int, password_hash: str | None) -> Session:
    """Start a session for an account, unless its password has changed since it was checked."""
    with store.write() as connection:
        if accounts.get(connection, account_id).password_hash != password_hash:
            raise NotSignedIn("the password was changed meanwhile: sign in again")
        session = credentials.new_session(connection, account_id, store.clock())
        who = credentials.find(connection, session, store.clock())
    if who is None:
        raise NotSignedIn("this account is closed: ask an owner")
    set_session(request, response, session)
    return _to_session(request, who, session)


def _to_session(request: Request, who: Principal, session: str) -> Session:
    csrf = csrf_value(request.app.state.secret, session)
    return Session.model_validate(asdict(who) | {"scopes": sorted(who.scopes), "csrf": csrf})
