"""Classification of single items: at once by the classifier, otherwise later by people."""

import asyncio
import uuid
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from quorate.service.accounts.permissions import may_classify
from quorate.service.decisions.results import result, results
from quorate.service.imports.columns import CONTENT, Columns
from quorate.service.imports.row_parser import RowParser
from quorate.service.items import classify as items_classify
from quorate.service.items.rows import BadRow, Row
from quorate.service.projects import projects
from quorate.service.projects.plan import plan_of
from quorate.service.routes.http.authentication import Caller, Principal
from quorate.service.routes.http.errors import PROBLEMS
from quorate.service.routes.http.params import Id, ProjectId, StoreOf
from quorate.service.routes.stream import HEADERS, EventStream
from quorate.service.schemas import ItemKind
from quorate.service.store.database import Store
from quorate.service.streams.streams import Streams

router = APIRouter(prefix="/api/projects/{project_id}", tags=["online"], responses=PROBLEMS)

MAX_ITEMS = 100  # of a batch
MAKER = RowParser(Columns(key="key", **{name: name for name in CONTENT}), ("features",))  # type: ignore[arg-type]


class ItemToClassify(BaseModel):
    """Item to classify. content: by kind, as in {text}, {text_a, text_b}, {html}, {image} or {audio} (an address)."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"key": "a1", "content": {"text": "It purrs."}}]}
    )

    key: Annotated[str, Field(min_length=1, max_length=200)] | None = (
        None  # an item with a known key is not added again
    )
    kind: ItemKind | None = None
    content: dict[Literal["text", "text_a", "text_b", "image", "audio", "html"], str] = {}
    features: list[float] | dict[str, float] | None = None


class BatchToClassify(BaseModel):
    """Several items to classify."""

    model_config = ConfigDict(extra="forbid")

    items: Annotated[list[ItemToClassify], Field(min_length=1, max_length=MAX_ITEMS)]


class QuestionResult(BaseModel):
    """State of a question about an item; label and numbers are null until it is decided."""

    question: str
    status: str
    label: str | None
    confidence: float | None
    expected_cost: float | None
    reason: str | None


class Result(BaseModel):
    """Decision about an item, or that it is queued for people; `result_url` returns the state later.

    In a project with one question, label and numbers are those of its answer; in a screening project the label is
    `included` or `excluded`.
    """

    item: str
    id: int
    status: Literal["decided", "queued"]
    label: str | None
    confidence: float | None
    expected_cost: float | None
    reason: str | None
    answers: list[QuestionResult]
    result_url: str


class ResultEvent(BaseModel):
    """Secret once, when the item is decided."""

    event: Literal["result"]
    data: Result


class Results(BaseModel):
    """Results of a batch, in its order."""

    results: list[Result]


@router.post("/classify", responses={202: {"model": Result, "description": "Queued for people."}})
def classify(project_id: ProjectId, body: ItemToClassify, caller: Caller, store: StoreOf, response: Response) -> Result:
    """Classify an item: decided at once (200), or queued for people (202). A key that is sent again changes nothing."""
    (result,) = _classified(store, caller, project_id, [body])
    response.status_code = 200 if result.status == "decided" else 202
    return result


@router.post("/classify/batch")
def classify_batch(project_id: ProjectId, body: BatchToClassify, caller: Caller, store: StoreOf) -> Results:
    """Classify up to a hundred items; either all are accepted, or none."""
    return Results(results=_classified(store, caller, project_id, body.items))


@router.get("/results")
def find_result(
    project_id: ProjectId, caller: Caller, store: StoreOf, key: Annotated[str, Query(min_length=1, max_length=200)]
) -> Result:
    """Return the state of an item by its key."""
    with store.read() as connection:
        may_classify(connection, caller, project_id)
        plan = plan_of(connection, project_id, projects.get(connection, project_id).settings_version)
        return _to_result(project_id, results(connection, plan, [key])[0])


@router.get("/results/{item_id}")
def show_result(project_id: ProjectId, item_id: Id, caller: Caller, store: StoreOf) -> Result:
    """Return the state of an item by its id."""
    return _to_result(project_id, _read(store, caller, project_id, item_id))


@router.get("/results/{item_id}/stream", response_class=EventStream, responses={200: {"model": ResultEvent}})
async def stream_result(project_id: ProjectId, item_id: Id, caller: Caller, request: Request) -> EventStream:
    """Send one `result` as a server-sent event when the item is decided."""
    streams: Streams = request.app.state.streams
    streams.require_room()
    first = await asyncio.to_thread(_read, streams.store, caller, project_id, item_id)

    def read() -> Result | None:
        result = _to_result(project_id, _read(streams.store, caller, project_id, item_id))
        return result if result.status == "decided" else None

    return EventStream(streams.result(project_id, first["item"], read), headers=HEADERS)


def _classified(store: Store, caller: Principal, project_id: int, items: list[ItemToClassify]) -> list[Result]:
    with store.read() as connection:
        may_classify(connection, caller, project_id)
    rows = [_row(number, item) for number, item in enumerate(items, start=1)]
    return [_to_result(project_id, result) for result in items_classify.classify(store, project_id, rows)]


def _row(number: int, item: ItemToClassify) -> Row | BadRow:
    """Return an item as a row, checked like the rows of files."""
    key = uuid.uuid4().hex if item.key is None else item.key
    cells: dict[str, Any] = {"key": key, "features": item.features}
    row = MAKER.parse(number, cells | {str(name): value for name, value in item.content.items()})
    if isinstance(row, Row) and item.kind not in (None, row.kind):
        return BadRow(
            number, f"the content is of kind {row.kind}, not {item.kind}: leave out `kind`, or correct one of them"
        )
    return row


def _read(store: Store, caller: Principal, project_id: int, item_id: int) -> dict[str, Any]:
    with store.read() as connection:
        may_classify(connection, caller, project_id)
        plan = plan_of(connection, project_id, projects.get(connection, project_id).settings_version)
        return result(connection, plan, item_id)


def _to_result(project_id: int, state: dict[str, Any]) -> Result:
    return Result(**state, result_url=f"/api/projects/{project_id}/results/{state['id']}")
