"""Panels (such as Prolific or MTurk): entry of their workers, completion, and payments."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse, RedirectResponse, StreamingResponse
from pydantic import BaseModel, Field

from quorate.service.accounts.credentials import new_voter_session
from quorate.service.accounts.permissions import may_manage, may_read
from quorate.service.audit_log import log
from quorate.service.exports.payments import pay_csv
from quorate.service.projects.settings import PanelEntry
from quorate.service.routes.http.authentication import VOTER_COOKIE, Caller, csrf_value, set_session
from quorate.service.routes.http.errors import PROBLEMS
from quorate.service.routes.http.params import Body, Line, ProjectId, StoreOf, base_url, client_address
from quorate.service.store.database import Store
from quorate.service.work.visit import find_visitor, settings_of
from quorate.service.workers import identities, panel_entry

router = APIRouter(tags=["door"], responses=PROBLEMS)
CSV: dict[int | str, dict[str, Any]] = {200: {"content": {"text/csv": {"schema": {"type": "string"}}}}}
NOT_STORED = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
Ids = Annotated[
    Literal["code", "external"],
    Query(description="Ids of workers: our codes, or those of the platform."),
]


class PanelSession(BaseModel):
    """Session of a worker who entered, for programs that accept JSON."""

    token: str
    project_id: int
    csrf: str


class PanelEntryOut(BaseModel):
    """Settings for a panel. `key` signs the ids of workers: keep it secret, like a password."""

    entry: str = Field(examples=["https://quorate.example.org/enter/1"])
    worker_parameter: str
    session_parameter: str
    signature_parameter: str
    signed: bool
    key: str


class PanelWorkers(Body):
    """Ids of workers on the platform."""

    workers: Annotated[list[Line], Field(min_length=1, max_length=10_000, examples=[["5f1a", "5f1b"]])]


class Completion(BaseModel):
    """Outcome of a visit, its completion code, and the URL that leads back to the panel."""

    outcome: panel_entry.Outcome
    code: str
    url: str | None


@router.get(
    "/enter/{project_id}",
    response_model=PanelSession,
    responses={303: {"description": "Redirect to the voter's page."}},
)
def enter(project_id: ProjectId, request: Request, store: StoreOf) -> Response:
    """Enter from a panel, with the URL parameters that the settings of the project name."""
    request.app.state.limits.take_link(client_address(request))
    secret, parameters = request.app.state.secret, request.query_params
    with store.read() as connection:
        settings = settings_of(connection, project_id).door
    visit = parameters.get(settings.session_parameter, "")
    if visit == panel_entry.PREVIEW:
        return _to_work(request, project_id, "preview")
    session = _new_session(request, store, project_id, settings)
    response: Response
    if _wants_json(request):
        response = JSONResponse({"token": session, "project_id": project_id, "csrf": csrf_value(secret, session)})
    else:
        fragment = panel_entry.frame_fragment(settings, session, visit, parameters.get(panel_entry.SUBMIT_TO, ""))
        response = _to_work(request, project_id, fragment)
    set_session(request, response, session, VOTER_COOKIE)
    response.headers.update(NOT_STORED)
    return response


@router.get("/api/projects/{project_id}/door")
def show(project_id: ProjectId, who: Caller, store: StoreOf, request: Request) -> PanelEntryOut:
    """Return the settings for a panel."""
    with store.read() as connection:
        may_manage(connection, who, project_id)
        settings = settings_of(connection, project_id).door
    return PanelEntryOut(
        entry=panel_entry.entry_page(base_url(request), project_id),
        worker_parameter=settings.worker_parameter,
        session_parameter=settings.session_parameter,
        signature_parameter=panel_entry.SIGNATURE,
        signed=settings.signed,
        key=panel_entry.entry_key(request.app.state.secret, project_id),
    )


@router.post("/api/projects/{project_id}/door/links")
def make_links(
    project_id: ProjectId, sent: PanelWorkers, who: Caller, store: StoreOf, request: Request
) -> dict[str, str]:
    """Return signed entry URLs by worker, for a panel that cannot sign them itself."""
    with store.read() as connection:
        may_manage(connection, who, project_id)
        settings = settings_of(connection, project_id).door
    key, address = panel_entry.entry_key(request.app.state.secret, project_id), base_url(request)
    return {worker: panel_entry.entry_address(address, project_id, settings, key, worker) for worker in sent.workers}


@router.get("/api/projects/{project_id}/completion")
def completion(project_id: ProjectId, who: Caller, store: StoreOf) -> Completion:
    """Return the completion code of a worker, and the URL that leads back to the panel; null for accounts."""
    with store.read() as connection:
        voter, settings = find_visitor(connection, who, project_id)
        identity = identities.of_voter(connection, voter.id)
    outcome = panel_entry.outcome_of(voter.state, voter.n_votes)
    back = None if who.voter_id is None else panel_entry.completion_address(settings.door, voter, identity, outcome)
    return Completion(outcome=outcome, code=panel_entry.completion_code(settings.door, outcome), url=back)


@router.get("/api/projects/{project_id}/pay.csv", response_class=StreamingResponse, responses=CSV)
def pay(project_id: ProjectId, who: Caller, store: StoreOf, ids: Ids = "code") -> StreamingResponse:
    """Download the payment due to each worker. Platform ids need the right to manage the project, and are logged."""
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
    """Return a session of the worker whom an entry URL names. It is checked before the write lock is taken."""
    parameters, now = request.query_params, store.clock()
    worker, visit = panel_entry.check_entry(
        settings,
        panel_entry.entry_key(request.app.state.secret, project_id),
        worker=parameters.get(settings.worker_parameter, ""),
        session=parameters.get(settings.session_parameter) or None,
        signature=parameters.get(panel_entry.SIGNATURE, ""),
    )
    with store.write() as connection:
        voter_id = identities.find_or_create(connection, project_id, settings.platform, worker, visit, now)
        return new_voter_session(connection, voter_id, project_id, now)


def _to_work(request: Request, project_id: int, fragment: str) -> Response:
    """Redirect to the voter's page. fragment: read by the page alone, since browsers do not send it."""
    url = f"{_public_url(request)}/work/{project_id}{'#' if fragment else ''}{fragment}"
    return RedirectResponse(url, 303, NOT_STORED)


def _wants_json(request: Request) -> bool:
    accepted = request.headers.get("Accept", "")
    return "application/json" in accepted and "text/html" not in accepted


def _public_url(request: Request) -> str:
    """Return the configured URL, or nothing: the Host of the request can be set by anybody."""
    return (request.app.state.settings.base_url or "").rstrip("/")
