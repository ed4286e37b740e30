"""API tokens of the caller."""

from typing import Annotated, Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field

from quorate.service.accounts import tokens
from quorate.service.accounts.permissions import may_change_own_account
from quorate.service.routes.http.authentication import Caller
from quorate.service.routes.http.errors import PROBLEMS
from quorate.service.routes.http.params import Body, Id, Line, RowId, StoreOf

router = APIRouter(prefix="/api/tokens", tags=["tokens"], responses=PROBLEMS)
DAY = 86_400.0
Scope = Literal["read", "vote", "classify", "manage"]


class NewToken(Body):
    """Name and scopes of a token. project_id: restricts it to one project. days: it expires after them."""

    name: Line = Field(examples=["nightly import"])
    scopes: Annotated[frozenset[Scope], Field(min_length=1, examples=[["read"]])]
    project_id: RowId | None = None
    days: Annotated[float, Field(gt=0, le=3650)] | None = None


class CreatedToken(BaseModel):
    """Token, which is returned only once."""

    token: str = Field(examples=["qt_..."])


class Token(BaseModel):
    """Token without its secret."""

    id: int
    name: str | None
    scopes: list[str]
    project_id: int | None
    created_at: float
    expires_at: float | None


@router.post("", status_code=201)
def create(sent: NewToken, who: Caller, store: StoreOf) -> CreatedToken:
    """Create a token. It is returned only once: store it where only your program can read it."""
    account_id = may_change_own_account(who)
    now = store.clock()
    with store.write() as connection:
        token = tokens.create(
            connection,
            account_id,
            now,
            name=sent.name,
            scopes=frozenset(sent.scopes),
            project_id=sent.project_id,
            expires_at=None if sent.days is None else now + sent.days * DAY,
            actor=who.actor,
        )
    return CreatedToken(token=token)


@router.get("")
def list_tokens(who: Caller, store: StoreOf) -> list[Token]:
    """List the valid tokens of the caller."""
    account_id = may_change_own_account(who)
    with store.read() as connection:
        rows = tokens.list_tokens(connection, account_id, store.clock())
    return [Token(**{**row._mapping, "scopes": row.scopes.split(",")}) for row in rows]


@router.delete("/{token_id}", status_code=204)
def revoke(token_id: Id, who: Caller, store: StoreOf) -> None:
    """Revoke a token."""
    account_id = may_change_own_account(who)
    with store.write() as connection:
        tokens.revoke_own(connection, account_id, token_id, who.actor, store.clock())
