"""Content of a task that is not text (files and HTML), and feedback on it after a vote.

HTML is shown in a frame of its own, `<iframe sandbox src=".../tasks/7/html">`, and never put into a page. The routes
with a ticket in place of a session are for the voter's page inside a frame of another site, where browsers send no
cookies with images.
"""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from fastapi.responses import FileResponse, Response
from pydantic import BaseModel
from sqlalchemy import Connection

from quorate.service.accounts.permissions import Principal
from quorate.service.errors import NotFound
from quorate.service.items.access import item_of_task
from quorate.service.media import SAFE_HEADERS, type_of
from quorate.service.routes.http.authentication import Caller
from quorate.service.routes.http.errors import PROBLEMS
from quorate.service.routes.http.params import Id, ProjectId, StoreOf
from quorate.service.schemas import VoterKind, VoterResponse
from quorate.service.work.feedback import votes_of_others
from quorate.service.work.visit import settings_of
from quorate.service.workers import media_tickets

router = APIRouter(responses=PROBLEMS)

TASK = "/api/projects/{project_id}/tasks/{task_id}"
TICKET = "/api/seen/{ticket}/{task_id}"
Ticket = Annotated[str, Path(max_length=200, description="The `ticket` of a visit.", examples=["7.1893456000.c2ln"])]

# No scripts, forms, origin or requests, also if somebody opens the address outside of a frame.
HTML_POLICY = "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'"
HTML_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "private, no-store",
}
HTML: dict[int | str, dict[str, Any]] = {200: {"content": {"text/html": {"schema": {"type": "string"}}}}}
MEDIA: dict[int | str, dict[str, Any]] = {
    200: {"content": {kind: {"schema": {"type": "string", "format": "binary"}} for kind in ("image/*", "audio/*")}}
}


class PeerVote(BaseModel):
    """Last vote of a voter on a task. mine: the caller's own."""

    voter: str
    kind: VoterKind
    label: str | None
    said: VoterResponse
    mine: bool


class TaskFeedback(BaseModel):
    """State of a task, class probabilities of the classifier, and the votes of all voters.

    final: the caller's vote is an audit, which cannot be changed after this response.
    """

    status: str
    label: str | None
    posterior: dict[str, float] | None
    machine: dict[str, float] | None
    votes: list[PeerVote]
    final: bool


@router.get(f"{TASK}/told", tags=["items"])
def show_feedback(project_id: ProjectId, task_id: Id, caller: Caller, store: StoreOf) -> TaskFeedback:
    """Return the votes on a task, for experts who have voted on it and for requesters.

    An audit vote of the caller is final from then on.
    """
    with store.write() as connection:
        return TaskFeedback.model_validate(votes_of_others(connection, caller, project_id, task_id, store.clock()))


@router.get(f"{TASK}/media", tags=["items"], response_class=FileResponse, responses=MEDIA)
def show_media(project_id: ProjectId, task_id: Id, caller: Caller, request: Request, store: StoreOf) -> FileResponse:
    """Return the image or sound of a task that the caller has leased; requesters may see all."""
    with store.read() as connection:
        return _media(connection, request, caller, project_id, task_id)


@router.get(f"{TASK}/html", tags=["items"], response_class=Response, responses=HTML)
def show_html(project_id: ProjectId, task_id: Id, caller: Caller, store: StoreOf) -> Response:
    """Return the HTML of a task, to be shown in a sandboxed frame."""
    with store.read() as connection:
        return _html(connection, caller, project_id, task_id)


@router.get(f"{TICKET}/media", tags=["work"], response_class=FileResponse, responses=MEDIA)
def show_media_by_ticket(ticket: Ticket, task_id: Id, request: Request, store: StoreOf) -> FileResponse:
    """Return the image or sound of a task that the holder of a ticket has leased."""
    with store.read() as connection:
        who, project_id = _ticket_holder(connection, request, ticket)
        return _media(connection, request, who, project_id, task_id)


@router.get(f"{TICKET}/html", tags=["work"], response_class=Response, responses=HTML)
def show_html_by_ticket(ticket: Ticket, task_id: Id, request: Request, store: StoreOf) -> Response:
    """Return the HTML of a task that the holder of a ticket has leased, to be shown in a sandboxed frame."""
    with store.read() as connection:
        who, project_id = _ticket_holder(connection, request, ticket)
        return _html(connection, who, project_id, task_id)


def _media(connection: Connection, request: Request, who: Principal, project_id: int, task_id: int) -> FileResponse:
    name = item_of_task(connection, who, project_id, task_id).content.get("media")
    path = request.app.state.importer.media.find(name) if isinstance(name, str) else None
    if path is None:
        raise NotFound(f"task {task_id} has no uploaded file")
    return FileResponse(path, media_type=type_of(name), headers=SAFE_HEADERS)


def _html(connection: Connection, who: Principal, project_id: int, task_id: int) -> Response:
    """Return the HTML of a task; only pages of this service and of the project's panel may frame it."""
    html = item_of_task(connection, who, project_id, task_id).content.get("html")
    if html is None:
        raise NotFound(f"task {task_id} has no HTML")
    ancestors = settings_of(connection, project_id).door.frame_ancestors
    policy = {"Content-Security-Policy": f"{HTML_POLICY}; frame-ancestors {ancestors}"}
    return Response(html, media_type="text/html", headers=HTML_HEADERS | policy)


def _ticket_holder(connection: Connection, request: Request, ticket: str) -> tuple[Principal, int]:
    state = request.app.state
    who = media_tickets.holder_of(connection, state.secret, ticket, state.store.clock())
    if who.project_id is None:
        raise NotFound("tickets are for voters, who see the items that they have leased")
    return who, who.project_id
