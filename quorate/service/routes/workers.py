"""Workers and experts of a project: links, lists, track records, blocking. Their identity is never shown."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, Field

from quorate.service.accounts import credentials
from quorate.service.accounts.permissions import may_manage, may_read
from quorate.service.audit_log import log
from quorate.service.money import from_money
from quorate.service.projects import projects
from quorate.service.projects.plan import plan_of
from quorate.service.routes.http.authentication import VOTER_COOKIE, Caller, csrf_value, set_session
from quorate.service.routes.http.errors import PROBLEMS
from quorate.service.routes.http.params import (
    MAX_ID,
    Body,
    Id,
    Line,
    ProjectId,
    Secret,
    StoreOf,
    base_url,
    client_address,
)
from quorate.service.schemas import VoterKind
from quorate.service.store.database import Record
from quorate.service.work import blocking
from quorate.service.workers import identities, track_record, voters
from quorate.service.workers.links import open_worker_link, worker_address, worker_link

router = APIRouter(prefix="/api", tags=["workers"], responses=PROBLEMS)
After = Annotated[int, Query(ge=0, le=MAX_ID, description="Last id of the previous page.")]
Limit = Annotated[int, Query(ge=1, le=1000)]


class SkillOut(BaseModel):
    """Accuracy with its 95% interval."""

    value: float
    low: float
    high: float


class Worker(BaseModel):
    """Track record of a voter.

    checks: number of gold checks. right: correct ones. low, high: 95% interval of the accuracy on checks. skill:
    accuracy as the models estimate it. seconds: median time per vote. spam: share of the votes that are
    indistinguishable from guesses. due: payment due.
    """

    id: int
    code: str
    kind: VoterKind
    state: str
    votes: int
    checks: int
    right: int
    accuracy: float | None
    low: float | None
    high: float | None
    skill: SkillOut | None
    seconds: float | None
    spam: float | None
    due: float
    consented_at: float | None
    seen_at: float | None


class ConfusionOut(BaseModel):
    """Estimated number of votes by true class (rows) and given class (columns)."""

    classes: list[str]
    confusion: list[list[float]]


class GoldAnswer(BaseModel):
    """Vote on a gold check. said: label of the voter; null if skipped. known: gold label."""

    item_id: int
    key: str
    question: str
    said: str | None
    known: str
    at: float


class PayDue(BaseModel):
    """Payment due, and the number of votes it is for."""

    due: float
    votes: int


class WorkerDetail(Worker):
    """Track record of a voter with confusion matrices by question. gold: the latest 200 votes on checks."""

    questions: dict[str, ConfusionOut | None]
    gold: list[GoldAnswer]
    pay: PayDue


class NewWorker(Body):
    """Kind of the new voter. `name` is for those who send the link; it is never exported with votes."""

    kind: VoterKind = "crowd"
    name: Line | None = None


class WorkerLink(BaseModel):
    """Voter, and the URL of its work. Whoever has the URL may vote as that voter, and do nothing else."""

    id: int
    code: str
    kind: VoterKind
    link: str = Field(examples=["https://quorate.example.org/work/1#1.v0123456789ab.crowd.aBc..."])


class WorkerLinkIn(Body):
    """Link of a voter: its URL, or the part after the #."""

    link: Secret = Field(examples=["1.v0123456789ab.crowd.aBc..."])


class WorkerSession(BaseModel):
    """Session of a voter; browsers also get it as a cookie."""

    token: str
    project_id: int
    code: str
    kind: VoterKind
    csrf: str


@router.post("/projects/{project_id}/workers", status_code=201)
def create(project_id: ProjectId, sent: NewWorker, who: Caller, store: StoreOf, request: Request) -> WorkerLink:
    """Create a worker or an expert with a link."""
    with store.write() as connection:
        may_manage(connection, who, project_id)
        projects.get(connection, project_id)
        voter_id, code = voters.create(connection, project_id, sent.kind, store.clock())
        if sent.name is not None:
            identities.add_in_house(connection, project_id, voter_id, sent.name)
        log(connection, project_id, who.actor, "voter.created", {"voter": code, "kind": sent.kind}, store.clock())
        return _to_link(request, voters.get(connection, project_id, voter_id))


@router.get("/projects/{project_id}/workers")
def list_workers(
    project_id: ProjectId, who: Caller, store: StoreOf, after: After = 0, limit: Limit = 100
) -> list[Worker]:
    """List the voters of a project, a page at a time."""
    with store.read() as connection:
        may_read(connection, who, project_id)
        projects.get(connection, project_id)
        return [Worker(**_columns(row)) for row in voters.list_page(connection, project_id, after=after, limit=limit)]


@router.get("/projects/{project_id}/workers/{voter_id}")
def show(project_id: ProjectId, voter_id: Id, who: Caller, store: StoreOf) -> WorkerDetail:
    """Return the track record of a voter: confusion matrices, gold checks and payment."""
    with store.read() as connection:
        may_read(connection, who, project_id)
        project = projects.get(connection, project_id)
        row = voters.get(connection, project_id, voter_id)
        plan = plan_of(connection, project_id, project.settings_version)
        return WorkerDetail.model_validate(_columns(row) | track_record.detail(connection, plan, row))


@router.get("/projects/{project_id}/workers/{voter_id}/link")
def show_link(project_id: ProjectId, voter_id: Id, who: Caller, store: StoreOf, request: Request) -> WorkerLink:
    """Return the link of a voter."""
    with store.read() as connection:
        may_manage(connection, who, project_id)
        return _to_link(request, voters.get(connection, project_id, voter_id))


@router.post("/projects/{project_id}/workers/{voter_id}/block", status_code=204)
def block(project_id: ProjectId, voter_id: Id, who: Caller, store: StoreOf) -> None:
    """Block a voter; its leases are released."""
    with store.read() as connection:
        may_manage(connection, who, project_id)
    blocking.block(store, project_id, voter_id, who.actor)


@router.post("/projects/{project_id}/workers/{voter_id}/unblock", status_code=204)
def unblock(project_id: ProjectId, voter_id: Id, who: Caller, store: StoreOf) -> None:
    """Unblock a voter."""
    with store.write() as connection:
        may_manage(connection, who, project_id)
        blocking.unblock(connection, project_id, voter_id, who.actor, store.clock())
    blocking.decide_tasks_of(store, project_id, voter_id)


@router.post("/work/session")
def open_link(sent: WorkerLinkIn, store: StoreOf, request: Request, response: Response) -> WorkerSession:
    """Open the link of a voter: start a session that may only vote in its project."""
    request.app.state.limits.take_link(client_address(request))
    secret, link = request.app.state.secret, sent.link.rpartition("#")[2]
    with store.read() as connection:  # checked first: an invalid link must not wait for the write lock
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


def _to_link(request: Request, row: Record) -> WorkerLink:
    link = worker_link(request.app.state.secret, row.project_id, row.code, row.kind)
    address = worker_address(base_url(request), row.project_id, link)
    return WorkerLink(id=row.id, code=row.code, kind=row.kind, link=address)


def _columns(row: Record) -> dict[str, Any]:
    """Return the fields of a `Worker`."""
    return {
        "id": row.id,
        "code": row.code,
        "kind": row.kind,
        "state": row.state,
        "votes": row.n_votes,
        "checks": row.n_checked,
        "accuracy": voters.accuracy_of(row),
        "due": from_money(row.earned),
        "consented_at": row.consented_at,
        "seen_at": row.seen_at,
        **track_record.check_accuracy(row),
        **track_record.estimates_of(row),
    }
