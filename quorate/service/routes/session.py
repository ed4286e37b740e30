"""Signing in and out, one's own password, and links that work once."""

from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from quorate.service.accounts import accounts, credentials
from quorate.service.accounts.passwords import hash_password, is_password
from quorate.service.accounts.permissions import may_change_own_account
from quorate.service.errors import Conflict, Invalid, NotSignedIn, Refused
from quorate.service.routes.authentication import Caller, csrf_value, forget_session, session_of, set_session
from quorate.service.routes.errors import PROBLEMS
from quorate.service.routes.inputs import StoreOf
from quorate.service.routes.params import Body, Line, Sent, caller_address
from quorate.service.store.database import Store

router = APIRouter(prefix="/api/session", tags=["session"], responses=PROBLEMS)


class SignIn(Body):
    """Name and password."""

    name: Line = Field(examples=["ann@example.org"])
    password: Sent = Field(examples=["correct horse battery"])


class NewPassword(Body):
    """The password so far, and the new one."""

    old: Sent = Field(examples=["correct horse battery"])
    new: Sent = Field(examples=["staple another horse"])


class Link(Body):
    """A link that works once: what stands behind the # of its address."""

    link: Sent = Field(examples=["ql_..."])


class Join(Link):
    """A password to set, and of the first owner a name."""

    name: Line | None = Field(None, examples=["ann@example.org"])
    password: Sent = Field(examples=["correct horse battery"])


class LinkFor(BaseModel):
    """What a link is for: `owner` makes the first account, `password` sets that of an account."""

    purpose: str
    name: str | None


class Session(BaseModel):
    """Who is signed in. A page sends `csrf` back as X-CSRF-Token with everything that changes something."""

    name: str
    role: Annotated[str, Field(examples=["owner"])]
    account_id: int | None
    voter_id: int | None
    project_id: int | None
    scopes: list[str]
    csrf: str


@router.post("")
def sign_in(sent: SignIn, store: StoreOf, request: Request, response: Response) -> Session:
    """Sign in by name and password; a browser gets a cookie."""
    request.app.state.limits.take_sign_in(sent.name, caller_address(request))
    with store.read() as connection:
        account = accounts.find_by_name(connection, sent.name)
    if not is_password(sent.password, None if account is None else account.password_hash) or account is None:
        raise NotSignedIn("name or password is wrong: try again, or ask an owner for a new link")
    return _start(store, request, response, account.id, account.password_hash)


@router.get("")
def show(who: Caller, request: Request) -> Session:
    """Who is signed in."""
    return Session(
        name=who.name,
        role=who.role,
        account_id=who.account_id,
        voter_id=who.voter_id,
        project_id=who.project_id,
        scopes=sorted(who.scopes),
        csrf=csrf_value(request.app.state.secret, session_of(request)),
    )


@router.delete("", status_code=204)
def sign_out(who: Caller, store: StoreOf, request: Request, response: Response) -> None:
    """End this session."""
    if who.kind != credentials.SESSION:
        raise Conflict("a token is not signed in: revoke it by DELETE /api/tokens/{id}")
    with store.write() as connection:
        credentials.revoke(connection, who.credential_id, store.clock())
    forget_session(request, response)


@router.put("/password", status_code=204)
def change_password(sent: NewPassword, who: Caller, store: StoreOf, request: Request) -> None:
    """Change one's own password; all other sessions end."""
    account_id = may_change_own_account(who)
    request.app.state.limits.take_sign_in(who.name, caller_address(request))
    with store.read() as connection:
        account = accounts.get(connection, account_id)
    if not is_password(sent.old, account.password_hash):
        raise Refused("the old password is wrong: try again, or ask an owner for a new link")
    hashed = hash_password(sent.new)
    with store.write() as connection:
        accounts.set_password(connection, account_id, hashed, store.clock(), keep=who.credential_id)


@router.post("/link")
def look_at_link(sent: Link, store: StoreOf, request: Request) -> LinkFor:
    """What a link is for; it stays usable."""
    request.app.state.limits.take_link(caller_address(request))
    with store.read() as connection:
        purpose, account_id = credentials.read_link(connection, sent.link, store.clock())
        name = None if account_id is None else accounts.get(connection, account_id).name
    return LinkFor(purpose=purpose, name=name)


@router.post("/join")
def join(sent: Join, store: StoreOf, request: Request, response: Response) -> Session:
    """Set a password by a link, which is used up; the account is signed in."""
    purpose = look_at_link(Link(link=sent.link), store, request).purpose  # before time is spent on hashing
    if purpose == accounts.OWNER_LINK and sent.name is None:
        raise Invalid("give a name to sign in by")
    hashed = hash_password(sent.password)
    with store.write() as connection:
        account_id = accounts.open_link(connection, sent.link, sent.name, hashed, store.clock())
    return _start(store, request, response, account_id, hashed)


def _start(store: Store, request: Request, response: Response, account_id: int, password_hash: str | None) -> Session:
    """A session for an account whose password is still the one that was checked."""
    with store.write() as connection:
        if accounts.get(connection, account_id).password_hash != password_hash:
            raise NotSignedIn("the password was changed meanwhile: sign in again")
        session = credentials.new_session(connection, account_id, store.clock())
        who = credentials.find(connection, session, store.clock())
    if who is None:
        raise NotSignedIn("this account is closed: ask an owner")
    set_session(request, response, session)
    return Session(
        name=who.name,
        role=who.role,
        account_id=who.account_id,
        voter_id=None,
        project_id=None,
        scopes=sorted(who.scopes),
        csrf=csrf_value(request.app.state.secret, session),
    )
