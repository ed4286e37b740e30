"""Items of a project: add a few as JSON, list them, and show one with all its votes."""

from typing import Annotated, Any

import numpy as np
from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection

from quorate.service.accounts.permissions import may_manage, may_read
from quorate.service.decisions.activation import open_arrivals
from quorate.service.imports.columns import CONTENT, Columns
from quorate.service.imports.row_parser import RowParser
from quorate.service.items import detail as item_detail
from quorate.service.items import validate
from quorate.service.items.listing import ALL, ItemQuery, filter_items, page_by_id, page_by_status
from quorate.service.items.rows import BadRow, Row
from quorate.service.items.summary import summarize_tasks
from quorate.service.media import Media
from quorate.service.projects import projects
from quorate.service.projects.plan import Plan, plan_of, question_id
from quorate.service.routes.http.authentication import Caller
from quorate.service.routes.http.errors import PROBLEMS
from quorate.service.routes.http.params import MAX_ID, Id, ProjectId, StoreOf
from quorate.service.routes.imports import RowErrorOut
from quorate.service.schemas import ItemContent, ItemKind, VoterKind, VoterResponse
from quorate.service.store.database import Record

router = APIRouter(prefix="/api/projects/{project_id}", tags=["items"], responses=PROBLEMS)
MAX_ITEMS = 1000  # in one request; import a file for more


class ItemIn(BaseModel):
    """Item with a unique key, and a text, two texts, the URL of an image or sound, HTML, or features.

    gold: known labels by question.
    """

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"key": "a1", "text": "It purrs.", "gold": {"pet": "cat"}}]}
    )

    key: Annotated[str, Field(min_length=1)]
    text: str | None = None
    text_a: str | None = None
    text_b: str | None = None
    image: str | None = None
    audio: str | None = None
    html: str | None = None
    span: tuple[int, int] | None = Field(None, description="Start and end of the part of the text to judge.")
    features: list[float] | dict[str, float] | None = None
    gold: dict[str, str] = {}


class TaskSummary(BaseModel):
    """State of a question about an item. gold: known label. ambiguity: share of the items that are less ambiguous."""

    id: int
    question_id: int
    question: str
    status: str
    label: str | None
    gold: str | None
    posterior: dict[str, float] | None
    confidence: float | None
    reason: str | None
    n_votes: int
    ambiguity: float | None


class ItemOut(BaseModel):
    """Item in a list, with the state of its tasks in the order of the questions."""

    id: int
    key: str
    kind: ItemKind
    content: ItemContent
    decided: bool
    created_at: float
    tasks: list[TaskSummary]


class PosteriorStep(BaseModel):
    """Posterior after some of the votes. after: id of the last of them; null before the first, or for a known label."""

    after: int | None
    votes: int
    posterior: dict[str, float]


class VoteRecord(BaseModel):
    """Vote on a task. voter: code of the voter. amendment: how often the voter had changed the vote before."""

    id: int
    voter: str
    voter_id: int
    kind: VoterKind
    label: str | None
    said: VoterResponse
    note: str | None
    purpose: str
    seconds: float | None
    given_at: float
    amendment: int


class DecisionRecord(BaseModel):
    """Earlier or present decision about a task."""

    made_at: float
    status: str
    label: str | None
    confidence: float | None
    reason: str | None
    n_votes: int


class TaskDetail(TaskSummary):
    """State of a question about an item, with its votes and decisions.

    ask: whom the service asks next. wanted: number of votes it asks for. value: what one more vote is expected to save.
    price: of one more vote. machine: class probabilities of the classifier. wish: what a requester asked for and has
    not got yet. why: explanation of the state. path: posterior after each vote.
    """

    ask: str | None
    wanted: int
    leased: int
    value: float | None
    expected_cost: float | None
    price: float | None
    machine: dict[str, float] | None
    audited: bool
    decided_at: float | None
    model_version: int | None
    wish: str | None
    why: str
    path: list[PosteriorStep]
    votes: list[VoteRecord]
    decisions: list[DecisionRecord]


class ItemDetail(BaseModel):
    """Item with everything that is known about it."""

    id: int
    key: str
    kind: ItemKind
    content: ItemContent
    decided: bool
    created_at: float
    features: list[float] | None
    tasks: list[TaskDetail]


class ItemsAdded(BaseModel):
    """Number of items that were added, existed before, or are invalid, with the errors of the latter."""

    added: int
    repeated: int
    bad: int
    errors: list[RowErrorOut]


class ItemPage(BaseModel):
    """Page of items. next: value of `after` (or, with a filter, of `offset`) for the next page; null on the last.

    total: number of items on all pages; null if it is not counted.
    """

    items: list[ItemOut]
    next: str | None
    total: int | None


NewItems = Annotated[list[ItemIn], Field(min_length=1, max_length=MAX_ITEMS)]
PageSize = Annotated[int, Query(ge=1, le=1000)]
Text = Annotated[str | None, Query(max_length=200)]


@router.post("/items")
def add(project_id: ProjectId, new: NewItems, caller: Caller, request: Request, store: StoreOf) -> ItemsAdded:
    """Add up to 1000 items; those that exist already with the same content are left as they are."""
    with store.read() as connection:
        may_manage(connection, caller, project_id)
        plan = _plan(connection, project_id)
        width = validate.width_of(connection, project_id) if any(item.features for item in new) else None
    ready = validate.validate_rows(plan, _rows(plan, new, request.app.state.importer.media), width)
    with store.write() as connection:
        outcome = validate.insert_rows(connection, plan, ready, np.random.default_rng(), store.clock())
    open_arrivals(store, project_id, outcome.task_ids)
    errors = [RowErrorOut(row=row.number, error=row.message) for row in outcome.bad]
    return ItemsAdded(added=outcome.added, repeated=outcome.repeated, bad=len(errors), errors=errors)


@router.get("/items")
def list_items(
    project_id: ProjectId,
    caller: Caller,
    store: StoreOf,
    status: Text = None,
    question: Text = None,
    search: Text = None,
    after: Text = None,
    n: PageSize = 100,
    filter_name: Annotated[str | None, Query(alias="filter", max_length=20)] = None,
    offset: Annotated[int, Query(ge=0, le=MAX_ID)] = 0,
) -> ItemPage:
    """List a page of items: all, those whose key starts with `search`, or those whose task has a status.

    With a `filter`, the page starts at `offset`, and `search` also matches the content of items. Filters: all, open, a
    status, ambiguous, disputed, or overruled (the audit gave another label).
    """
    with store.read() as connection:
        may_read(connection, caller, project_id)
        plan = _plan(connection, project_id)
        if filter_name is not None or offset:
            query = ItemQuery(question_id(plan, question), filter_name or ALL, search, offset, n)
            return _filtered(connection, plan, query)
        if status is not None:
            rows, following = page_by_status(
                connection, plan, status=status, question=question, search=search, after=after, n=n
            )
        else:
            rows, following = page_by_id(connection, plan, search=search, after=after, n=n)
        summaries = summarize_tasks(connection, plan, [row.id for row in rows])
        return ItemPage(items=[_to_item(row, summaries[row.id]) for row in rows], next=following, total=None)


@router.get("/items/{item_id}")
def show(project_id: ProjectId, item_id: Id, caller: Caller, store: StoreOf) -> ItemDetail:
    """Return an item with its tasks: votes, posterior after each vote, decisions, and an explanation."""
    with store.read() as connection:
        may_read(connection, caller, project_id)
        return ItemDetail.model_validate(item_detail.item_details(connection, _plan(connection, project_id), item_id))


def _rows(plan: Plan, items: list[ItemIn], media: Media) -> list[Row | BadRow]:
    """Return items as rows, checked like the rows of files."""
    questions = [question.question.name for question in plan.questions.values()]
    own_names: dict[str, Any] = {name: name for name in ("key", "span", *CONTENT)}
    columns = Columns(**own_names, gold={name: f"gold {name}" for name in questions})
    maker = RowParser(columns, ("features",), media=media)
    rows: list[Row | BadRow] = []
    for number, item in enumerate(items, start=1):
        unknown = sorted(set(item.gold) - set(questions))
        if unknown:
            rows.append(
                BadRow(number, f"there is no question {unknown[0]!r}: the questions are {', '.join(questions)}")
            )
        else:
            cells = item.model_dump() | {f"gold {name}": label for name, label in item.gold.items()}
            rows.append(maker.parse(number, cells))
    return rows


def _filtered(connection: Connection, plan: Plan, query: ItemQuery) -> ItemPage:
    page = filter_items(connection, plan, query)
    summaries = summarize_tasks(connection, plan, [row.id for row in page.rows])
    following = str(query.offset + query.n) if page.more else None
    return ItemPage(items=[_to_item(row, summaries[row.id]) for row in page.rows], next=following, total=page.total)


def _plan(connection: Connection, project_id: int) -> Plan:
    return plan_of(connection, project_id, projects.get(connection, project_id).settings_version)


def _to_item(row: Record, summaries: list[dict[str, Any]]) -> ItemOut:
    return ItemOut.model_validate(row._asdict() | {"tasks": summaries})
