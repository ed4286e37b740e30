"""The members of a project: requesters, and experts and workers who have an account."""

from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field

from quorate.service.accounts import members
from quorate.service.accounts.permissions import may_manage, may_read
from quorate.service.routes.http.authentication import Caller
from quorate.service.routes.http.errors import PROBLEMS
from quorate.service.routes.http.params import Body, Id, Line, ProjectId, StoreOf

router = APIRouter(prefix="/api/projects/{project_id}/members", tags=["members"], responses=PROBLEMS)


class NewMember(Body):
    """Name and role of an account that becomes a member."""

    name: Line = Field(examples=["ben@example.org"])
    role: Literal["requester", "expert", "worker"]


class Member(BaseModel):
    """Account that is a member of a project."""

    account_id: int
    name: str
    role: str
    state: str = Field(examples=["active", "closed"])


@router.get("")
def list_members(project_id: ProjectId, who: Caller, store: StoreOf) -> list[Member]:
    """List the members of a project; owners have access without being members."""
    with store.read() as connection:
        may_read(connection, who, project_id)
        return [Member(**row._mapping) for row in members.list_members(connection, project_id)]


@router.post("", status_code=204)
def put(project_id: ProjectId, sent: NewMember, who: Caller, store: StoreOf) -> None:
    """Add an account as a member, or change its role."""
    with store.write() as connection:
        may_manage(connection, who, project_id)
        members.put(connection, project_id, sent.name, sent.role, who.actor, store.clock())


@router.delete("/{account_id}", status_code=204)
def remove(project_id: ProjectId, account_id: Id, who: Caller, store: StoreOf) -> None:
    """Remove an account from a project."""
    with store.write() as connection:
        may_manage(connection, who, project_id)
        members.remove(connection, project_id, account_id, who.actor, store.clock())
