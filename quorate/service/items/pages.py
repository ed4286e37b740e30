"""Items as requesters see them: a page at a time, by status or key."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, select, tuple_

from quorate.service.errors import Invalid
from quorate.service.projects.plan import Plan
from quorate.service.store.blobs import by_class
from quorate.service.store.database import Record
from quorate.service.store.tables import items, tasks

COLUMNS = (items.c.id, items.c.key, items.c.kind, items.c.content, items.c.decided, items.c.created_at)
STANDING = ("id", "question_id", "status", "n_votes", "confidence", "reason", "ambiguity")
LAST = chr(0x10FFFF)


def question_id(plan: Plan, name: str | None) -> int:
    """The id of a question by its name; of the first where none is named."""
    ids = {asked.question.name: asked.id for asked in plan.questions.values()}
    name = name or next(iter(ids))
    if name not in ids:
        raise Invalid(f"there is no question {name!r}: the questions are {', '.join(ids)}")
    return ids[name]


def by_number(
    connection: Connection, plan: Plan, *, search: str | None, after: str | None, n: int
) -> tuple[list[Record], str | None]:
    """Items in the order they came; those whose key starts with `search`. Also what to ask for the next page with."""
    last = _whole(after) if after else 0
    found = select(*COLUMNS).where(items.c.project_id == plan.id, items.c.id > last)
    if search:
        found = found.where(starts_with(connection, search))
    rows = list(connection.execute(found.order_by(items.c.id).limit(n + 1)).all())
    return rows[:n], str(rows[n - 1].id) if len(rows) > n else None


def by_status(
    connection: Connection,
    plan: Plan,
    *,
    status: str,
    question: str | None,
    search: str | None,
    after: str | None,
    n: int,
) -> tuple[list[Record], str | None]:
    """Items whose task of a question stands so, in the random order of their draws, which has an index."""
    place = tasks.c.draw, tasks.c.item_id
    found = (
        select(*COLUMNS, tasks.c.draw)
        .join(tasks, tasks.c.item_id == items.c.id)
        .where(tasks.c.question_id == question_id(plan, question), tasks.c.status == status)
    )
    if search:
        found = found.where(starts_with(connection, search))
    if after:
        draw, _, last = after.partition("_")
        found = found.where(tuple_(*place) > tuple_(_number(draw), _whole(last)))
    rows = list(connection.execute(found.order_by(*place).limit(n + 1)).all())
    return rows[:n], f"{rows[n - 1].draw!r}_{rows[n - 1].id}" if len(rows) > n else None


def standing_of(connection: Connection, plan: Plan, item_ids: Sequence[int]) -> dict[int, list[dict[str, Any]]]:
    """How the tasks of some items stand, in the order of the questions."""
    found = select(tasks).where(tasks.c.item_id.in_(item_ids)).order_by(tasks.c.item_id, tasks.c.question_id)
    standing: dict[int, list[dict[str, Any]]] = {item_id: [] for item_id in item_ids}
    for row in connection.execute(found) if item_ids else ():
        standing[row.item_id].append(_standing(plan, row))
    return standing


def _standing(plan: Plan, row: Record) -> dict[str, Any]:
    names = plan.questions[row.question_id].question.class_names
    kept = {name: getattr(row, name) for name in STANDING}
    posterior = by_class(names, row.posterior)
    label, gold = name_of(names, row.label), name_of(names, row.gold)
    question = plan.questions[row.question_id].question.name
    return kept | {"question": question, "label": label, "gold": gold, "posterior": posterior}


def name_of(names: Sequence[str], label: int | None) -> str | None:
    """The class that a number stands for."""
    return None if label is None else names[label]


def starts_with(connection: Connection, search: str) -> ColumnElement[bool]:
    """SQLite compares bytes, so that a range of its index does; PostgreSQL compares by language."""
    if connection.dialect.name == "sqlite":
        return (items.c.key >= search) & (items.c.key < search + LAST)
    return items.c.key.startswith(search, autoescape=True)


def _whole(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 18:
        raise Invalid("`after` must be what the page before gave as `next`")
    return int(text)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise Invalid("`after` must be what the page before gave as `next`") from None
