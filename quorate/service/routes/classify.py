"""Classify an item now: at once where the machine may decide alone, else by people; ask again, listen, or be told."""

import asyncio
import uuid
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from quorate.service.accounts.permissions import may_classify
from quorate.service.decisions.results import result, results
from quorate.service.imports.columns import CONTENT, Columns
from quorate.service.imports.row_parser import RowParser
from quorate.service.items import classify as online
from quorate.service.items.rows import BadRow, Row
from quorate.service.projects import projects
from quorate.service.projects.plan import plan_of
from quorate.service.routes.authentication import Caller, Principal
from quorate.service.routes.errors import PROBLEMS
from quorate.service.routes.inputs import Id, ProjectId, StoreOf
from quorate.service.routes.stream import HEADERS, EventStream
from quorate.service.store.database import Store
from quorate.service.streams.streams import Streams

router = APIRouter(prefix="/api/projects/{project_id}", tags=["online"], responses=PROBLEMS)

MOST_ITEMS = 100  # of a batch
MAKER = RowParser(Columns(key="key", **{name: name for name in CONTENT}), ("features",))  # type: ignore[arg-type]
Kind = Literal["text", "pair", "image", "audio", "html", "features"]


class ItemToClassify(BaseModel):
    """What to classify. content: by kind, as in {text}, {text_a, text_b}, {html}, {image} or {audio} (an address)."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"key": "a1", "content": {"text": "It purrs."}}]}
    )

    key: Annotated[str, Field(min_length=1, max_length=200)] | None = None  # the same key again: the same item
    kind: Kind | None = None
    content: dict[Literal["text", "text_a", "text_b", "image", "audio", "html"], str] = {}
    features: list[float] | dict[str, float] | None = None


class BatchToClassify(BaseModel):
    """Several at once."""

    model_config = ConfigDict(extra="forbid")

    items: Annotated[list[ItemToClassify], Field(min_length=1, max_length=MOST_ITEMS)]


class Answer(BaseModel):
    """How one question of an item stands; label and numbers once it is decided."""

    question: str
    status: str
    label: str | None
    confidence: float | None
    expected_cost: float | None
    reason: str | None


class Result(BaseModel):
    """What is decided on an item, or that people are asked; `result_url` tells later.

    Of a project with one question, label and numbers are those of its answer; of screening, the label is `included` or
    `excluded`.
    """

    item: str
    id: int
    status: Literal["decided", "queued"]
    label: str | None
    confidence: float | None
    expected_cost: float | None
    reason: str | None
    answers: list[Answer]
    result_url: str


class Results(BaseModel):
    """Those of a batch, in its order."""

    results: list[Result]


@router.post("/classify", responses={202: {"model": Result, "description": "People are asked."}})
def classify(project_id: ProjectId, body: ItemToClassify, caller: Caller, store: StoreOf, response: Response) -> Result:
    """Classify an item: decided at once (200), or queued for people (202). Sending a key again changes nothing."""
    (found,) = _classified(store, caller, project_id, [body])
    response.status_code = 200 if found.status == "decided" else 202
    return found


@router.post("/classify/batch")
def classify_batch(project_id: ProjectId, body: BatchToClassify, caller: Caller, store: StoreOf) -> Results:
    """Classify up to a hundred items; all are taken, or none."""
    return Results(results=_classified(store, caller, project_id, body.items))


@router.get("/results")
def find_result(
    project_id: ProjectId, caller: Caller, store: StoreOf, key: Annotated[str, Query(min_length=1, max_length=200)]
) -> Result:
    """How an item stands, by its key."""
    with store.read() as connection:
        may_classify(connection, caller, project_id)
        plan = plan_of(connection, project_id, projects.get(connection, project_id).settings_version)
        return _shown(project_id, results(connection, plan, [key])[0])


@router.get("/results/{item_id}")
def show_result(project_id: ProjectId, item_id: Id, caller: Caller, store: StoreOf) -> Result:
    """How an item stands, by its number."""
    return _shown(project_id, _result(store, caller, project_id, item_id))


@router.get("/results/{item_id}/stream", response_class=EventStream)
async def stream_result(project_id: ProjectId, item_id: Id, caller: Caller, request: Request) -> EventStream:
    """One `result` as a server-sent event, as soon as the item is decided."""
    streams: Streams = request.app.state.streams
    streams.require_room()
    first = await asyncio.to_thread(_result, streams.store, caller, project_id, item_id)

    def read() -> dict[str, Any] | None:
        found = _shown(project_id, _result(streams.store, caller, project_id, item_id))
        return found.model_dump() if found.status == "decided" else None

    return EventStream(streams.result(project_id, first["item"], read), headers=HEADERS)


def _classified(store: Store, caller: Principal, project_id: int, given: list[ItemToClassify]) -> list[Result]:
    with store.read() as connection:
        may_classify(connection, caller, project_id)
    rows = [_row(number, one) for number, one in enumerate(given, start=1)]
    return [_shown(project_id, one) for one in online.classify(store, project_id, rows)]


def _row(number: int, given: ItemToClassify) -> Row | BadRow:
    """The item, checked as those of files are."""
    key = uuid.uuid4().hex if given.key is None else given.key
    cells: dict[str, Any] = {"key": key, "features": given.features}
    row = MAKER.parse(number, cells | {str(name): value for name, value in given.content.items()})
    if isinstance(row, Row) and given.kind not in (None, row.kind):
        return BadRow(number, f"the content is of kind {row.kind}, not {given.kind}: leave kind out, or mend either")
    return row


def _result(store: Store, caller: Principal, project_id: int, item_id: int) -> dict[str, Any]:
    with store.read() as connection:
        may_classify(connection, caller, project_id)
        plan = plan_of(connection, project_id, projects.get(connection, project_id).settings_version)
        return result(connection, plan, item_id)


def _shown(project_id: int, found: dict[str, Any]) -> Result:
    return Result(**found, result_url=f"/api/projects/{project_id}/results/{found['id']}")
