"""The members of a project: requesters, and experts and workers who have an account."""

from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field

from quorate.service.accounts import members
from quorate.service.accounts.permissions import may_manage, may_read
from quorate.service.routes.authentication import Caller
from quorate.service.routes.errors import PROBLEMS
from quorate.service.routes.inputs import Id, ProjectId, StoreOf
from quorate.service.routes.params import Body, Line

router = APIRouter(prefix="/api/projects/{project_id}/members", tags=["members"], responses=PROBLEMS)


class NewMember(Body):
    """Which account, and as what."""

    name: Line = Field(examples=["ben@example.org"])
    role: Literal["requester", "expert", "worker"]


class Member(BaseModel):
    """An account that belongs to a project."""

    account_id: int
    name: str
    role: str
    state: str = Field(examples=["active", "closed"])


@router.get("")
def list_members(project_id: ProjectId, who: Caller, store: StoreOf) -> list[Member]:
    """Who belongs to a project; owners may do everything without being listed."""
    with store.read() as connection:
        may_read(connection, who, project_id)
        return [Member(**row._mapping) for row in members.list_members(connection, project_id)]


@router.post("", status_code=204)
def put(project_id: ProjectId, sent: NewMember, who: Caller, store: StoreOf) -> None:
    """Make an account a member, or change what it is."""
    with store.write() as connection:
        may_manage(connection, who, project_id)
        members.put(connection, project_id, sent.name, sent.role, who.actor, store.clock())


@router.delete("/{account_id}", status_code=204)
def remove(project_id: ProjectId, account_id: Id, who: Caller, store: StoreOf) -> None:
    """Take an account out of a project."""
    with store.write() as connection:
        may_manage(connection, who, project_id)
        members.remove(connection, project_id, account_id, who.actor, store.clock())
