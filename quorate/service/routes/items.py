"""Items: a few new ones as JSON, pages of them, and one with all its votes."""

from typing import Annotated, Any

import numpy as np
from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection

from quorate.service.accounts.permissions import may_manage, may_read
from quorate.service.decisions.arrivals import open_arrivals
from quorate.service.imports.columns import CONTENT, Columns
from quorate.service.imports.row_parser import RowParser
from quorate.service.items import detail as item_detail
from quorate.service.items import validate as new_rows
from quorate.service.items.listing import ALL, ItemQuery, filter_items, page_by_id, page_by_status
from quorate.service.items.rows import BadRow, Row
from quorate.service.items.summary import summarize_tasks
from quorate.service.media import Media
from quorate.service.projects import projects
from quorate.service.projects.plan import Plan, plan_of, question_id
from quorate.service.routes.authentication import Caller
from quorate.service.routes.errors import PROBLEMS
from quorate.service.routes.imports import RowProblem
from quorate.service.routes.inputs import MOST, Id, ProjectId, StoreOf
from quorate.service.store.database import Record

router = APIRouter(prefix="/api/projects/{project_id}", tags=["items"], responses=PROBLEMS)
MOST_ITEMS = 1000  # in one request; files are for more


class ItemIn(BaseModel):
    """An item: a key of its own, and a text, two texts, the address of an image or sound, HTML, or numbers."""

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
    span: tuple[int, int] | None = Field(None, description="Where the part of the text that is asked about is.")
    features: list[float] | dict[str, float] | None = None
    gold: dict[str, str] = {}


class AddedOut(BaseModel):
    """What became of items: how many are new, were there before, or are wrong (counted from 1), and why."""

    added: int
    repeated: int
    bad: int
    errors: list[RowProblem]


class ItemsOut(BaseModel):
    """A page of items, and what to give as `after` (or, with a filter, as `offset`) for the next one.

    total: how many there are in all, where that is known without a look at every item.
    """

    items: list[dict[str, Any]]
    next: str | None
    total: int | None = None


New = Annotated[list[ItemIn], Field(min_length=1, max_length=MOST_ITEMS)]
Few = Annotated[int, Query(ge=1, le=1000)]
Word = Annotated[str | None, Query(max_length=200)]


@router.post("/items")
def add(project_id: ProjectId, new: New, caller: Caller, request: Request, store: StoreOf) -> AddedOut:
    """Add a few items; those that are there already, with the same content, are left as they are."""
    with store.read() as connection:
        may_manage(connection, caller, project_id)
        row = projects.get(connection, project_id)
        plan = plan_of(connection, project_id, row.settings_version)
        width = new_rows.width_of(connection, project_id) if any(one.features for one in new) else None
    ready = new_rows.validate_rows(plan, _rows(plan, new, request.app.state.importer.media), width)
    with store.write() as connection:
        outcome = new_rows.insert_rows(connection, plan, ready, np.random.default_rng(), store.clock())
    open_arrivals(store, project_id, outcome.task_ids)
    wrong = [RowProblem(row=one.number, error=one.message) for one in outcome.bad]
    return AddedOut(added=outcome.added, repeated=outcome.repeated, bad=len(wrong), errors=wrong)


@router.get("/items")
def list_items(
    project_id: ProjectId,
    caller: Caller,
    store: StoreOf,
    status: Word = None,
    question: Word = None,
    search: Word = None,
    after: Word = None,
    n: Few = 100,
    chosen: Annotated[str | None, Query(alias="filter", max_length=20)] = None,
    offset: Annotated[int, Query(ge=0, le=MOST)] = 0,
) -> ItemsOut:
    """A page of items: all, those whose key starts with `search`, or those whose task has a status.

    With a `filter`, any part of the list by its `offset`; then `search` is also looked for in what is shown. Filters:
    all, open, a status, ambiguous, disputed, or overruled (the audit said otherwise).
    """
    with store.read() as connection:
        may_read(connection, caller, project_id)
        plan = _plan(connection, project_id)
        if chosen is not None or offset:
            wanted = ItemQuery(question_id(plan, question), chosen or ALL, search, offset, n)
            return _listed(connection, plan, wanted)
        if status is not None:
            rows, following = page_by_status(
                connection, plan, status=status, question=question, search=search, after=after, n=n
            )
        else:
            rows, following = page_by_id(connection, plan, search=search, after=after, n=n)
        standing = summarize_tasks(connection, plan, [row.id for row in rows])
        return ItemsOut(items=[_brief(row, standing[row.id]) for row in rows], next=following)


@router.get("/items/{item_id}")
def show(project_id: ProjectId, item_id: Id, caller: Caller, store: StoreOf) -> dict[str, Any]:
    """An item with its tasks: votes (by the voters' codes), belief after each, decisions, and why it stands so."""
    with store.read() as connection:
        may_read(connection, caller, project_id)
        return item_detail.item_details(connection, _plan(connection, project_id), item_id)


def _rows(plan: Plan, new: list[ItemIn], media: Media) -> list[Row | BadRow]:
    """The items as rows, checked as those of files are."""
    questions = [asked.question.name for asked in plan.questions.values()]
    own_names: dict[str, Any] = {name: name for name in ("key", "span", *CONTENT)}
    columns = Columns(**own_names, gold={name: f"gold {name}" for name in questions})
    maker = RowParser(columns, ("features",), media=media)
    rows: list[Row | BadRow] = []
    for number, one in enumerate(new, start=1):
        unknown = sorted(set(one.gold) - set(questions))
        if unknown:
            rows.append(
                BadRow(number, f"there is no question {unknown[0]!r}: the questions are {', '.join(questions)}")
            )
        else:
            cells = one.model_dump() | {f"gold {name}": label for name, label in one.gold.items()}
            rows.append(maker.parse(number, cells))
    return rows


def _listed(connection: Connection, plan: Plan, wanted: ItemQuery) -> ItemsOut:
    found = filter_items(connection, plan, wanted)
    standing = summarize_tasks(connection, plan, [row.id for row in found.rows])
    following = str(wanted.offset + wanted.n) if found.more else None
    return ItemsOut(items=[_brief(row, standing[row.id]) for row in found.rows], next=following, total=found.total)


def _plan(connection: Connection, project_id: int) -> Plan:
    return plan_of(connection, project_id, projects.get(connection, project_id).settings_version)


def _brief(row: Record, standing: list[dict[str, Any]]) -> dict[str, Any]:
    names = ("id", "key", "kind", "content", "decided", "created_at")
    return {name: getattr(row, name) for name in names} | {"tasks": standing}
