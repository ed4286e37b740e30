"""Items by address alone, for the voter's page in a frame of another site: its images come without cookies."""

from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import FileResponse, Response
from sqlalchemy import Connection

from quorate.service.accounts.permissions import Principal
from quorate.service.errors import NotFound
from quorate.service.routes.errors import PROBLEMS
from quorate.service.routes.inputs import Id, StoreOf
from quorate.service.routes.item_media import html_of, media_of
from quorate.service.workers import media_tickets as tickets

router = APIRouter(prefix="/api/seen/{ticket}/{task_id}", tags=["work"], responses=PROBLEMS)
Ticket = Annotated[str, Path(max_length=200, description="As a visit tells it.", examples=["7.1893456000.c2ln"])]


@router.get("/media", response_class=FileResponse)
def see_media(ticket: Ticket, task_id: Id, request: Request, store: StoreOf) -> FileResponse:
    """The image or sound of a task that is in the hands of the ticket's voter."""
    with store.read() as connection:
        who, project_id = _voter(connection, request, ticket)
        return media_of(connection, request, who, project_id, task_id)


@router.get("/html", response_class=Response, responses={200: {"content": {"text/html": {}}}})
def see_html(ticket: Ticket, task_id: Id, request: Request, store: StoreOf) -> Response:
    """The HTML of such a task, to be shown in a sandboxed frame."""
    with store.read() as connection:
        who, project_id = _voter(connection, request, ticket)
        return html_of(connection, who, project_id, task_id)


def _voter(connection: Connection, request: Request, ticket: str) -> tuple[Principal, int]:
    state = request.app.state
    who = tickets.holder_of(connection, state.secret, ticket, state.store.clock())
    if who.project_id is None:
        raise NotFound("tickets are for voters, who see what is in their hands")
    return who, who.project_id
