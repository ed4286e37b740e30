"""Workers and experts who come by a link of their own: make, list, block."""

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
After = Annotated[int, Query(ge=0, le=MAX_ID, description="The last id of the page before.")]
Limit = Annotated[int, Query(ge=1, le=1000)]


class SkillOut(BaseModel):
    """A share with its 95 % interval."""

    value: float
    low: float
    high: float


class Worker(BaseModel):
    """How a voter is doing; without who it is.

    right: checks that were; low, high: the 95 % interval of the accuracy on checks. skill: how often right, as the
    models believe. seconds: the median. spam: which share of the answers might as well be guessed, from 0 to 1.
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
    """How often the voter is believed to have given each answer to each class: a row for each true class."""

    classes: list[str]
    confusion: list[list[float]]


class GoldAnswer(BaseModel):
    """What a voter said to a check. said: none where it was skipped."""

    item_id: int
    key: str
    question: str
    said: str | None
    known: str
    at: float


class PayDue(BaseModel):
    """What is to be paid, and for how many votes."""

    due: float
    votes: int


class WorkerDetail(Worker):
    """All that is known of a voter. gold: answers to checks, the newest 200."""

    questions: dict[str, ConfusionOut | None]
    gold: list[GoldAnswer]
    pay: PayDue


class NewWorker(Body):
    """Who gets a link. `name` is for those who hand it out; it is kept apart, and never exported with votes."""

    kind: VoterKind = "crowd"
    name: Line | None = None


class WorkerLink(BaseModel):
    """A voter and the address of its work. Whoever has the address is that voter, and nothing more."""

    id: int
    code: str
    kind: VoterKind
    link: str = Field(examples=["https://quorate.example.org/work/1#1.v0123456789ab.crowd.aBc..."])


class WorkerLinkIn(Body):
    """What stands behind the # of a worker's address, or that address."""

    link: Secret = Field(examples=["1.v0123456789ab.crowd.aBc..."])


class WorkerSession(BaseModel):
    """A session of a voter; browsers also get it as a cookie."""

    token: str
    project_id: int
    code: str
    kind: VoterKind
    csrf: str


@router.post("/projects/{project_id}/workers", status_code=201)
def create(project_id: ProjectId, sent: NewWorker, who: Caller, store: StoreOf, request: Request) -> WorkerLink:
    """Make a worker or an expert of a project, with a link to hand out."""
    with store.write() as connection:
        may_manage(connection, who, project_id)
        projects.get(connection, project_id)
        voter_id, code = voters.create(connection, project_id, sent.kind, store.clock())
        if sent.name is not None:
            identities.name(connection, project_id, voter_id, sent.name)
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
        return [Worker(**_columns(row)) for row in voters.list_of(connection, project_id, after=after, limit=limit)]


@router.get("/projects/{project_id}/workers/{voter_id}")
def show(project_id: ProjectId, voter_id: Id, who: Caller, store: StoreOf) -> WorkerDetail:
    """One voter: how often which class is taken for which, answers to checks, and pay."""
    with store.read() as connection:
        may_read(connection, who, project_id)
        project = projects.get(connection, project_id)
        row = voters.get(connection, project_id, voter_id)
        plan = plan_of(connection, project_id, project.settings_version)
        return WorkerDetail.model_validate(_columns(row) | track_record.detail(connection, plan, row))


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
    blocking.decide_on_theirs(store, project_id, voter_id)


@router.post("/work/session")
def open_link(sent: WorkerLinkIn, store: StoreOf, request: Request, response: Response) -> WorkerSession:
    """Open a worker's link: a session that may vote in its project, as that voter, and nothing else."""
    request.app.state.limits.take_link(client_address(request))
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
    address = worker_address(base_url(request), row.project_id, link)
    return WorkerLink(id=row.id, code=row.code, kind=row.kind, link=address)


def _columns(row: Record) -> dict[str, Any]:
    """The columns of a `Worker`, from its row."""
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
        **track_record.checked(row),
        **track_record.judged(row),
    }
