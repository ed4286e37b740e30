"""The door for any crowd: entry by a panel's address, completion, and what workers are due."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse, RedirectResponse, StreamingResponse
from pydantic import BaseModel, Field

from quorate.service.accounts.credentials import new_voter_session
from quorate.service.accounts.permissions import may_manage, may_read
from quorate.service.audit_log import log
from quorate.service.exports.payments import pay_csv
from quorate.service.projects.settings import PanelEntry
from quorate.service.routes.authentication import VOTER_COOKIE, Caller, csrf_value, set_session
from quorate.service.routes.errors import PROBLEMS
from quorate.service.routes.inputs import ProjectId, StoreOf
from quorate.service.routes.params import Body, Line, address_of, caller_address
from quorate.service.store.database import Store
from quorate.service.work.visit import find_visitor, settings_of
from quorate.service.workers import identities
from quorate.service.workers import panel_entry as door

router = APIRouter(tags=["door"], responses=PROBLEMS)
UNKEPT = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
Ids = Annotated[Literal["code", "external"], Query(description="Who is named: our codes, or the platform's numbers.")]


class Entered(BaseModel):
    """The session of somebody who came in, for programs that ask for JSON."""

    token: str
    project_id: int
    csrf: str


class DoorShown(BaseModel):
    """How a panel sends people here. `key` signs their numbers: keep it as secret as a password."""

    entry: str = Field(examples=["https://quorate.example.org/enter/1"])
    worker_parameter: str
    session_parameter: str
    signature_parameter: str
    signed: bool
    key: str


class Workers(Body):
    """Numbers of workers, as the panel knows them."""

    workers: Annotated[list[Line], Field(min_length=1, max_length=10_000, examples=[["5f1a", "5f1b"]])]


class Completion(BaseModel):
    """What a visit came to, the code for it, and where to go back to."""

    outcome: door.Outcome
    code: str
    url: str | None


@router.get("/enter/{project_id}", response_model=Entered, responses={303: {"description": "On to the work."}})
def enter(project_id: ProjectId, request: Request, store: StoreOf) -> Response:
    """Come in from a panel, by the parameters that the project's door names."""
    request.app.state.limits.take_link(caller_address(request))
    secret, given = request.app.state.secret, request.query_params
    with store.read() as connection:
        settings = settings_of(connection, project_id).door
    visit = given.get(settings.session_parameter, "")
    if visit == door.PREVIEW:
        return _to_work(request, project_id, "preview")
    session = _new_session(request, store, project_id, settings)
    answer: Response
    if _wants_json(request):
        answer = JSONResponse({"token": session, "project_id": project_id, "csrf": csrf_value(secret, session)})
    else:
        told = door.frame_fragment(settings, session, visit, given.get(door.SUBMIT_TO, ""))
        answer = _to_work(request, project_id, told)
    set_session(request, answer, session, VOTER_COOKIE)
    answer.headers.update(UNKEPT)
    return answer


@router.get("/api/projects/{project_id}/door")
def show(project_id: ProjectId, who: Caller, store: StoreOf, request: Request) -> DoorShown:
    """What to tell a panel."""
    with store.read() as connection:
        may_manage(connection, who, project_id)
        settings = settings_of(connection, project_id).door
    return DoorShown(
        entry=door.entry_page(address_of(request), project_id),
        worker_parameter=settings.worker_parameter,
        session_parameter=settings.session_parameter,
        signature_parameter=door.SIGNATURE,
        signed=settings.signed,
        key=door.entry_key(request.app.state.secret, project_id),
    )


@router.post("/api/projects/{project_id}/door/links")
def make_links(project_id: ProjectId, sent: Workers, who: Caller, store: StoreOf, request: Request) -> dict[str, str]:
    """Signed entry addresses, by worker: for a panel that cannot sign."""
    with store.read() as connection:
        may_manage(connection, who, project_id)
        settings = settings_of(connection, project_id).door
    key, address = door.entry_key(request.app.state.secret, project_id), address_of(request)
    return {worker: door.entry_address(address, project_id, settings, key, worker) for worker in sent.workers}


@router.get("/api/projects/{project_id}/completion")
def completion(project_id: ProjectId, who: Caller, store: StoreOf) -> Completion:
    """For a worker who is through: the completion code, and the way back to the panel; accounts came from none."""
    with store.read() as connection:
        voter, settings = find_visitor(connection, who, project_id)
        identity = identities.of_voter(connection, voter.id)
    outcome = door.outcome_of(voter.state, voter.n_votes)
    back = None if who.voter_id is None else door.completion_address(settings.door, voter, identity, outcome)
    return Completion(outcome=outcome, code=door.completion_code(settings.door, outcome), url=back)


@router.get("/api/projects/{project_id}/pay.csv", response_class=StreamingResponse)
def pay(project_id: ProjectId, who: Caller, store: StoreOf, ids: Ids = "code") -> StreamingResponse:
    """What each worker is due. The platform's numbers are given to those who manage the project, and this is logged."""
    with store.write() as connection:
        (may_manage if ids == "external" else may_read)(connection, who, project_id)
        settings = settings_of(connection, project_id).door
        if ids == "external":
            log(connection, project_id, who.actor, "pay.exported", {"ids": ids}, store.clock())
    lines = pay_csv(store, project_id, settings, external=ids == "external")
    headers = {
        "Content-Disposition": f'attachment; filename="pay-{project_id}.csv"',
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
    }
    return StreamingResponse(lines, media_type="text/csv; charset=utf-8", headers=headers)


def _new_session(request: Request, store: Store, project_id: int, settings: PanelEntry) -> str:
    """Return a session of the voter whom an entry address names. Who is refused never waits for the write lock."""
    given, now = request.query_params, store.clock()
    worker, visit = door.check_entry(
        settings,
        door.entry_key(request.app.state.secret, project_id),
        worker=given.get(settings.worker_parameter, ""),
        session=given.get(settings.session_parameter) or None,
        signature=given.get(door.SIGNATURE, ""),
    )
    with store.write() as connection:
        voter_id = identities.find_or_create(connection, project_id, settings.platform, worker, visit, now)
        return new_voter_session(connection, voter_id, project_id, now)


def _to_work(request: Request, project_id: int, told: str) -> Response:
    """On to the voter's page. told: what only the page reads, since browsers do not send it on."""
    place = f"{_outside(request)}/work/{project_id}{'#' if told else ''}{told}"
    return RedirectResponse(place, 303, UNKEPT)


def _wants_json(request: Request) -> bool:
    wanted = request.headers.get("Accept", "")
    return "application/json" in wanted and "text/html" not in wanted


def _outside(request: Request) -> str:
    """What stands before our own paths. Never the request's Host, which anybody can set: none is as good."""
    return (request.app.state.settings.base_url or "").rstrip("/")
