"""One's own API tokens."""

from typing import Annotated, Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field

from quorate.service.accounts import tokens
from quorate.service.accounts.permissions import may_change_own_account
from quorate.service.routes.authentication import Caller
from quorate.service.routes.errors import PROBLEMS
from quorate.service.routes.inputs import Id, StoreOf
from quorate.service.routes.params import Body, Line, RowId

router = APIRouter(prefix="/api/tokens", tags=["tokens"], responses=PROBLEMS)
DAY = 86_400.0
Scope = Literal["read", "vote", "classify", "manage"]


class NewToken(Body):
    """What a token is called and may do: everywhere, or in one project; for ever, or for some days."""

    name: Line = Field(examples=["nightly import"])
    scopes: Annotated[frozenset[Scope], Field(min_length=1, examples=[["read"]])]
    project_id: RowId | None = None
    days: Annotated[float, Field(gt=0, le=3650)] | None = None


class Made(BaseModel):
    """The token itself: it is shown this once."""

    token: str = Field(examples=["qt_..."])


class Token(BaseModel):
    """What is known of a token."""

    id: int
    name: str | None
    scopes: list[str]
    project_id: int | None
    created_at: float
    expires_at: float | None


@router.post("", status_code=201)
def create(sent: NewToken, who: Caller, store: StoreOf) -> Made:
    """Make a token. It is shown once: keep it where only your program reads it."""
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
    return Made(token=token)


@router.get("")
def list_tokens(who: Caller, store: StoreOf) -> list[Token]:
    """Your live tokens."""
    account_id = may_change_own_account(who)
    with store.read() as connection:
        rows = tokens.list_tokens(connection, account_id, store.clock())
    return [Token(**{**row._mapping, "scopes": row.scopes.split(",")}) for row in rows]


@router.delete("/{token_id}", status_code=204)
def revoke(token_id: Id, who: Caller, store: StoreOf) -> None:
    """End a token at once."""
    account_id = may_change_own_account(who)
    with store.write() as connection:
        tokens.revoke_own(connection, account_id, token_id, who.actor, store.clock())
