"""Workers and experts who come by a link of their own: make, list, block."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, Field

from quorate.service.accounts import credentials
from quorate.service.accounts.permissions import may_manage, may_read
from quorate.service.audit_log import log
from quorate.service.projects import projects
from quorate.service.projects.plan import plan_of
from quorate.service.routes.authentication import VOTER_COOKIE, Caller, csrf_value, set_session
from quorate.service.routes.errors import PROBLEMS
from quorate.service.routes.inputs import MOST, Id, ProjectId, StoreOf
from quorate.service.routes.params import Body, Line, Sent, address_of, caller_address
from quorate.service.routes.worker_rows import Worker, WorkerDetail, columns_of
from quorate.service.store.database import Record
from quorate.service.work import blocking
from quorate.service.workers import identities, voters
from quorate.service.workers import track_record as voter_records
from quorate.service.workers.links import open_worker_link, worker_address, worker_link

router = APIRouter(prefix="/api", tags=["workers"], responses=PROBLEMS)
After = Annotated[int, Query(ge=0, le=MOST, description="The last id of the page before.")]
Limit = Annotated[int, Query(ge=1, le=1000)]


class NewWorker(Body):
    """Who gets a link. `name` is for those who hand it out; it is kept apart, and never exported with votes."""

    kind: Literal["crowd", "expert"] = "crowd"
    name: Line | None = None


class WorkerLink(BaseModel):
    """A voter and the address of its work. Whoever has the address is that voter, and nothing more."""

    id: int
    code: str
    kind: str
    link: str = Field(examples=["https://quorate.example.org/work/1#1.v0123456789ab.crowd.aBc..."])


class Opened(Body):
    """What stands behind the # of a worker's address, or that address."""

    link: Sent = Field(examples=["1.v0123456789ab.crowd.aBc..."])


class WorkerSession(BaseModel):
    """A session of a voter; browsers also get it as a cookie."""

    token: str
    project_id: int
    code: str
    kind: str
    csrf: str


@router.post("/projects/{project_id}/workers", status_code=201)
def create(project_id: ProjectId, sent: NewWorker, who: Caller, store: StoreOf, request: Request) -> WorkerLink:
    """Make a worker or an expert of a project, with a link to hand out."""
    with store.write() as connection:
        may_manage(connection, who, project_id)
        projects.get(connection, project_id)
        voter_id, code = voters.create(connection, project_id, sent.kind, store.clock())
        if sent.name is not None:
            identities.add_in_house(connection, project_id, voter_id, sent.name)
        log(connection, project_id, who.actor, "voter.created", {"voter": code, "kind": sent.kind}, store.clock())
        return _link(request, voters.get(connection, project_id, voter_id))


@router.get("/projects/{project_id}/workers")
def list_workers(
    project_id: ProjectId, who: Caller, store: StoreOf, after: After = 0, limit: Limit = 100
) -> list[Worker]:
    """All voters of a project, a page at a time."""
    with store.read() as connection:
        may_read(connection, who, project_id)
        projects.get(connection, project_id)
        return [Worker(**columns_of(row)) for row in voters.list_page(connection, project_id, after=after, limit=limit)]


@router.get("/projects/{project_id}/workers/{voter_id}")
def show(project_id: ProjectId, voter_id: Id, who: Caller, store: StoreOf) -> WorkerDetail:
    """One voter: how often which class is taken for which, answers to checks, and pay."""
    with store.read() as connection:
        may_read(connection, who, project_id)
        project = projects.get(connection, project_id)
        row = voters.get(connection, project_id, voter_id)
        plan = plan_of(connection, project_id, project.settings_version)
        return WorkerDetail.model_validate(columns_of(row) | voter_records.detail(connection, plan, row))


@router.get("/projects/{project_id}/workers/{voter_id}/link")
def show_link(project_id: ProjectId, voter_id: Id, who: Caller, store: StoreOf, request: Request) -> WorkerLink:
    """The link of a voter once more."""
    with store.read() as connection:
        may_manage(connection, who, project_id)
        return _link(request, voters.get(connection, project_id, voter_id))


@router.post("/projects/{project_id}/workers/{voter_id}/block", status_code=204)
def block(project_id: ProjectId, voter_id: Id, who: Caller, store: StoreOf) -> None:
    """Let a voter vote no more; what it holds goes back to the pool."""
    with store.read() as connection:
        may_manage(connection, who, project_id)
    blocking.block(store, project_id, voter_id, who.actor)


@router.post("/projects/{project_id}/workers/{voter_id}/unblock", status_code=204)
def unblock(project_id: ProjectId, voter_id: Id, who: Caller, store: StoreOf) -> None:
    """Let a voter vote again."""
    with store.write() as connection:
        may_manage(connection, who, project_id)
        blocking.unblock(connection, project_id, voter_id, who.actor, store.clock())
    blocking.decide_tasks_of(store, project_id, voter_id)


@router.post("/work/session")
def open_link(sent: Opened, store: StoreOf, request: Request, response: Response) -> WorkerSession:
    """Open a worker's link: a session that may vote in its project, as that voter, and nothing else."""
    request.app.state.limits.take_link(caller_address(request))
    secret, link = request.app.state.secret, sent.link.rpartition("#")[2]
    with store.read() as connection:  # a link that is refused must not wait for the write lock
        voter = open_worker_link(connection, secret, link)
    with store.write() as connection:
        session = credentials.new_voter_session(connection, voter.id, voter.project_id, store.clock())
    set_session(request, response, session, VOTER_COOKIE)
    return WorkerSession(
        token=session,
        project_id=voter.project_id,
        code=voter.code,
        kind=voter.kind,
        csrf=csrf_value(secret, session),
    )


def _link(request: Request, row: Record) -> WorkerLink:
    link = worker_link(request.app.state.secret, row.project_id, row.code, row.kind)
    address = worker_address(address_of(request), row.project_id, link)
    return WorkerLink(id=row.id, code=row.code, kind=row.kind, link=address)
