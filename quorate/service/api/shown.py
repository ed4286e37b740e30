"""What is shown of an item beside its text: its file, or its HTML, which is shown and never run.

A page shows HTML in a frame of its own: `<iframe sandbox src=".../tasks/7/html">`. It must not be put into the page.
"""

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, Response

from quorate.service.api.errors import PROBLEMS
from quorate.service.api.inputs import Id, ProjectId, StoreOf
from quorate.service.api.who import Caller
from quorate.service.errors import NotFound
from quorate.service.media import SAFE_HEADERS, type_of
from quorate.service.usecases.shown import shown_item

router = APIRouter(prefix="/api/projects/{project_id}/tasks/{task_id}", tags=["items"], responses=PROBLEMS)

# No scripts, no forms, no origin, nothing fetched: also where somebody opens the address by itself.
HTML_HEADERS = {
    "Content-Security-Policy": (
        "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'self'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "private, no-store",
}


@router.get("/media", response_class=FileResponse)
def show_media(project_id: ProjectId, task_id: Id, caller: Caller, request: Request, store: StoreOf) -> FileResponse:
    """The image or sound of a task that is in the caller's hands, or of any for requesters."""
    with store.read() as connection:
        name = shown_item(connection, caller, project_id, task_id).content.get("media")
    path = request.app.state.importer.media.find(name) if isinstance(name, str) else None
    if path is None:
        raise NotFound(f"task {task_id} has no uploaded file")
    return FileResponse(path, media_type=type_of(name), headers=SAFE_HEADERS)


@router.get("/html", response_class=Response, responses={200: {"content": {"text/html": {}}}})
def show_html(project_id: ProjectId, task_id: Id, caller: Caller, store: StoreOf) -> Response:
    """The HTML of a task, to be shown in a sandboxed frame."""
    with store.read() as connection:
        html = shown_item(connection, caller, project_id, task_id).content.get("html")
    if html is None:
        raise NotFound(f"task {task_id} has no HTML")
    return Response(html, media_type="text/html", headers=HTML_HEADERS)
