"""What is shown of an item beside its text: its file, or its HTML, which is shown and never run; and what is known.

A page shows HTML in a frame of its own: `<iframe sandbox src=".../tasks/7/html">`. It must not be put into the page.
"""

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, Response
from pydantic import BaseModel
from sqlalchemy import Connection

from quorate.service.errors import NotFound
from quorate.service.items.access import item_of_task
from quorate.service.media import SAFE_HEADERS, type_of
from quorate.service.routes.authentication import Caller, Principal
from quorate.service.routes.errors import PROBLEMS
from quorate.service.routes.inputs import Id, ProjectId, StoreOf
from quorate.service.work.feedback import votes_of_others
from quorate.service.work.visit import settings_of

router = APIRouter(prefix="/api/projects/{project_id}/tasks/{task_id}", tags=["items"], responses=PROBLEMS)

# No scripts, no forms, no origin, nothing fetched: also where somebody opens the address by itself.
HTML_POLICY = "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'"
HTML_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "private, no-store",
}


class VoteTold(BaseModel):
    """What a voter said last of a task."""

    voter: str
    kind: str
    label: str | None
    said: str
    mine: bool


class Told(BaseModel):
    """How a task stands, what the machine says of it, and what others said.

    final: the caller's answer is an audit, which cannot be amended after this was shown.
    """

    status: str
    label: str | None
    posterior: dict[str, float] | None
    machine: dict[str, float] | None
    votes: list[VoteTold]
    final: bool


@router.get("/told", response_model=Told)
def tell(project_id: ProjectId, task_id: Id, caller: Caller, store: StoreOf) -> Any:
    """What is known of a task, for an expert who has voted on it, and for requesters.

    An audit answer of the caller is final from then on.
    """
    with store.write() as connection:
        return votes_of_others(connection, caller, project_id, task_id, store.clock())


@router.get("/media", response_class=FileResponse)
def show_media(project_id: ProjectId, task_id: Id, caller: Caller, request: Request, store: StoreOf) -> FileResponse:
    """The image or sound of a task that is in the caller's hands, or of any for requesters."""
    with store.read() as connection:
        return media_of(connection, request, caller, project_id, task_id)


@router.get("/html", response_class=Response, responses={200: {"content": {"text/html": {}}}})
def show_html(project_id: ProjectId, task_id: Id, caller: Caller, store: StoreOf) -> Response:
    """The HTML of a task, to be shown in a sandboxed frame."""
    with store.read() as connection:
        return html_of(connection, caller, project_id, task_id)


def media_of(connection: Connection, request: Request, who: Principal, project_id: int, task_id: int) -> FileResponse:
    """The file of a task, for who may see it."""
    name = item_of_task(connection, who, project_id, task_id).content.get("media")
    path = request.app.state.importer.media.find(name) if isinstance(name, str) else None
    if path is None:
        raise NotFound(f"task {task_id} has no uploaded file")
    return FileResponse(path, media_type=type_of(name), headers=SAFE_HEADERS)


def html_of(connection: Connection, who: Principal, project_id: int, task_id: int) -> Response:
    """The HTML of a task, for who may see it; all around its frame must be ours, or a site that the door names."""
    html = item_of_task(connection, who, project_id, task_id).content.get("html")
    if html is None:
        raise NotFound(f"task {task_id} has no HTML")
    around = settings_of(connection, project_id).door.frame_ancestors
    policy = {"Content-Security-Policy": f"{HTML_POLICY}; frame-ancestors {around}"}
    return Response(html, media_type="text/html", headers=HTML_HEADERS | policy)
