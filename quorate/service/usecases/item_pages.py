"""Items as requesters see them: a page at a time, by status or key, and one with all that is known of it."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, select, tuple_

from quorate.service.errors import Invalid, NotFound
from quorate.service.store.database import Record
from quorate.service.store.tables import decisions, items, tasks, voters, votes
from quorate.service.usecases.arrays import from_blob
from quorate.service.usecases.projects import Plan

COLUMNS = (items.c.id, items.c.key, items.c.kind, items.c.content, items.c.decided, items.c.created_at)
LAST = chr(0x10FFFF)


def by_number(
    connection: Connection, plan: Plan, *, search: str | None, after: str | None, n: int
) -> tuple[list[Record], str | None]:
    """Items in the order they came; those whose key starts with `search`. Also what to ask for the next page with."""
    last = _whole(after) if after else 0
    found = select(*COLUMNS).where(items.c.project_id == plan.id, items.c.id > last)
    if search:
        found = found.where(_starts_with(connection, search))
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
    ids = {asked.question.name: asked.id for asked in plan.asked.values()}
    name = question or next(iter(ids))
    if name not in ids:
        raise Invalid(f"there is no question {name!r}: the questions are {', '.join(ids)}")
    place = tasks.c.draw, tasks.c.item_id
    found = (
        select(*COLUMNS, tasks.c.draw)
        .join(tasks, tasks.c.item_id == items.c.id)
        .where(tasks.c.question_id == ids[name], tasks.c.status == status)
    )
    if search:
        found = found.where(_starts_with(connection, search))
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


def one(connection: Connection, plan: Plan, item_id: int) -> dict[str, Any]:
    """An item, its votes (amended ones too) and all that was decided on it."""
    found = select(*COLUMNS, items.c.features).where(items.c.project_id == plan.id, items.c.id == item_id)
    row = connection.execute(found).one_or_none()
    if row is None:
        raise NotFound(f"there is no item {item_id} in project {plan.id}")
    shown = row._asdict() | {"features": None if row.features is None else from_blob(row.features).tolist()}
    standing = standing_of(connection, plan, [item_id])[item_id]
    for task in standing:
        names = plan.asked[task["question_id"]].question.class_names
        task["votes"] = [_vote(names, vote) for vote in connection.execute(_votes(task["id"]))]
        task["decisions"] = [_decision(names, made) for made in connection.execute(_decisions(task["id"]))]
    return shown | {"tasks": standing}


def _standing(plan: Plan, row: Record) -> dict[str, Any]:
    names = plan.asked[row.question_id].question.class_names
    kept = {name: getattr(row, name) for name in ("id", "question_id", "status", "n_votes", "confidence", "reason")}
    posterior = None
    if row.posterior is not None:
        posterior = dict(zip(names, from_blob(row.posterior).tolist(), strict=True))
    label, gold = _name(names, row.label), _name(names, row.gold)
    question = plan.asked[row.question_id].question.name
    return kept | {"question": question, "label": label, "gold": gold, "posterior": posterior}


def _votes(task_id: int):  # type: ignore[no-untyped-def]
    return (
        select(votes, voters.c.code, voters.c.kind)
        .join(voters, voters.c.id == votes.c.voter_id)
        .where(votes.c.task_id == task_id)
        .order_by(votes.c.id)
    )


def _decisions(task_id: int):  # type: ignore[no-untyped-def]
    return select(decisions).where(decisions.c.task_id == task_id).order_by(decisions.c.id)


def _vote(names: Sequence[str], row: Record) -> dict[str, Any]:
    kept = {name: getattr(row, name) for name in ("id", "kind", "said", "note", "purpose", "seconds", "given_at")}
    return kept | {"voter": row.code, "label": _name(names, row.label), "amendment": row.amendment}


def _decision(names: Sequence[str], row: Record) -> dict[str, Any]:
    kept = {name: getattr(row, name) for name in ("made_at", "status", "confidence", "reason", "n_votes")}
    return kept | {"label": _name(names, row.label)}


def _name(names: Sequence[str], label: int | None) -> str | None:
    return None if label is None else names[label]


def _starts_with(connection: Connection, search: str) -> ColumnElement[bool]:
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
