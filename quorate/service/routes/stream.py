"""Server-sent events of a project, for pages and programs that do not want to poll."""

import asyncio
from typing import Annotated, Literal

from fastapi import APIRouter, Header, Request
from fastapi.responses import StreamingResponse
from pydantic import BaseModel

from quorate.service.accounts.permissions import may_read
from quorate.service.projects import projects
from quorate.service.routes.http.authentication import Caller, Principal
from quorate.service.routes.http.errors import PROBLEMS
from quorate.service.routes.http.openapi import EVENT_STREAM
from quorate.service.routes.http.params import MAX_ID, ProjectId
from quorate.service.schemas import DecisionOut, OverviewOut
from quorate.service.store.database import Store
from quorate.service.streams.streams import Streams

router = APIRouter(prefix="/api/projects/{project_id}", tags=["online"], responses=PROBLEMS)

HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}  # nginx must not buffer events
LastId = Annotated[
    int | None, Header(ge=0, le=MAX_ID, alias="Last-Event-ID", description="Id of the last decision that was received.")
]


class OverviewEvent(BaseModel):
    """Secret when the stream is opened, and when counts or costs of the project change."""

    event: Literal["overview"]
    data: OverviewOut


class DecisionEvent(BaseModel):
    """Secret for every decision. id: its number, which a stream that is opened again sends as `Last-Event-ID`."""

    event: Literal["decision"]
    id: int
    data: DecisionOut


class EventStream(StreamingResponse):
    """Response that streams server-sent events."""

    media_type = EVENT_STREAM


@router.get("/stream", response_class=EventStream, responses={200: {"model": OverviewEvent | DecisionEvent}})
async def stream(project_id: ProjectId, caller: Caller, request: Request, last_id: LastId = None) -> EventStream:
    """Stream an `overview` when counts or costs change, and each `decision`, for up to 15 minutes.

    A client that connects again with the `Last-Event-ID` of the last decision misses none; some may be sent twice.
    """
    streams: Streams = request.app.state.streams
    streams.require_room()
    await asyncio.to_thread(_check_access, streams.store, caller, project_id)
    return EventStream(streams.events(project_id, last_id), headers=HEADERS)


def _check_access(store: Store, caller: Principal, project_id: int) -> None:
    with store.read() as connection:
        may_read(connection, caller, project_id)
        projects.get(connection, project_id)
