"""Lists of items for requesters: pages by key or status, and any part of a filtered list.

A page is found by walking an index, so that a late page takes no longer than the first.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import orjson
from sqlalchemy import ColumnElement, Connection, Select, Text, and_, cast, func, or_, select, tuple_

from quorate.service.decisions.evidence import LABEL
from quorate.service.decisions.task_state import ASKING, BY_CROWD, BY_EXPERT, DECIDED, MACHINE, WAITING
from quorate.service.errors import Invalid
from quorate.service.items.summary import COLUMNS
from quorate.service.projects.plan import Plan, question_id
from quorate.service.store.database import Record
from quorate.service.store.tables import decisions, items, tallies, tasks
from quorate.service.workers.gold_checks import TOO_AMBIGUOUS

ALL, OPEN, AMBIGUOUS, DISPUTED, OVERRULED = "all", "open", "ambiguous", "disputed", "overruled"
FILTERS = (ALL, OPEN, WAITING, ASKING, *DECIDED, AMBIGUOUS, DISPUTED, OVERRULED)
SEARCHED = ("text", "text_a", "text_b", "html", "url", "media")  # parts of the content
LAST_CHARACTER = chr(0x10FFFF)

Ids = Select[int]  # of one column
Conditions = tuple[ColumnElement[bool], ...]


@dataclass(frozen=True)
class ItemQuery:
    """Part of a list: items whose task of a question passes a filter, and whose key or content matches a text."""

    question_id: int
    filter: str = ALL
    search: str | None = None
    offset: int = 0
    n: int = 100

    @property
    def statuses(self) -> tuple[str, ...]:
        """The statuses that pass the filter; empty where the filter is not about statuses."""
        statuses = (ASKING, WAITING) if self.filter == OPEN else (self.filter,)
        return tuple(status for status in statuses if status in (WAITING, ASKING, *DECIDED))


@dataclass(frozen=True)
class ItemPage:
    """Part of a list.

    Attributes:
        rows: the items.
        total: how long the whole list is; None where counting would read every item.
        more: whether the list goes on after this part.
    """

    rows: Sequence[Record]
    total: int | None
    more: bool


def filter_items(connection: Connection, plan: Plan, query: ItemQuery) -> ItemPage:
    """Return a part of a filtered list of items."""
    if query.filter not in FILTERS:
        raise Invalid(f"there is no filter {query.filter!r}: the filters are {', '.join(FILTERS)}")
    if query.search:
        ids, total = _search(connection, plan, query), None
    elif query.filter == ALL or query.statuses:
        counts = _counts(connection, query.question_id)
        total = sum(counts[status] for status in query.statuses or counts if status in counts)
        ids = _by_status(connection, query, counts) if query.statuses else _page(connection, _all(query), query)
    else:
        ids = _special(connection, query)
        total = connection.execute(select(func.count()).where(*_conditions(query))).scalar()
    more = len(ids) > query.n
    return ItemPage(_in_order(connection, ids[: query.n]), total, more)


def page_by_id(
    connection: Connection, plan: Plan, *, search: str | None, after: str | None, n: int
) -> tuple[list[Record], str | None]:
    """Return n items in the order they were added, and what to pass as `after` for the next page.

    With `search`, only those whose key starts with it.
    """
    last = _parse_id(after) if after else 0
    query = select(*COLUMNS).where(items.c.project_id == plan.id, items.c.id > last)
    if search:
        query = query.where(_key_starts_with(connection, search))
    rows = list(connection.execute(query.order_by(items.c.id).limit(n + 1)).all())
    return rows[:n], str(rows[n - 1].id) if len(rows) > n else None


def page_by_status(
    connection: Connection,
    plan: Plan,
    *,
    status: str,
    question: str | None,
    search: str | None,
    after: str | None,
    n: int,
) -> tuple[list[Record], str | None]:
    """Return n items whose task of a question has a status, and what to pass as `after` for the next page.

    They come in the random order of their draws, which has an index.
    """
    order = tasks.c.draw, tasks.c.item_id
    query = (
        select(*COLUMNS, tasks.c.draw)
        .join(tasks, tasks.c.item_id == items.c.id)
        .where(tasks.c.question_id == question_id(plan, question), tasks.c.status == status)
    )
    if search:
        query = query.where(_key_starts_with(connection, search))
    if after:
        draw, _, last = after.partition("_")
        query = query.where(tuple_(*order) > tuple_(_parse_draw(draw), _parse_id(last)))
    rows = list(connection.execute(query.order_by(*order).limit(n + 1)).all())
    return rows[:n], f"{rows[n - 1].draw!r}_{rows[n - 1].id}" if len(rows) > n else None


def _page(connection: Connection, ids: Ids, query: ItemQuery) -> list[int]:
    """Return one id more than was asked for, which shows whether the list goes on."""
    return list(connection.execute(ids.offset(query.offset).limit(query.n + 1)).scalars())


def _counts(connection: Connection, question_id: int) -> dict[str, int]:
    query = select(tallies.c.status, tallies.c.n).where(tallies.c.question_id == question_id)
    return dict(connection.execute(query).all())


def _all(query: ItemQuery) -> Ids:
    return select(tasks.c.item_id).where(tasks.c.question_id == query.question_id).order_by(tasks.c.item_id)


def _by_status(connection: Connection, query: ItemQuery, counts: dict[str, int]) -> list[int]:
    """Return ids status by status, each in the order of draws; the tallies count what comes before the offset."""
    ids: list[int] = []
    offset = query.offset
    for status in query.statuses:
        n = counts.get(status, 0)
        if offset < n and len(ids) <= query.n:
            of_status = tasks.c.question_id == query.question_id, tasks.c.status == status
            ids += _by_draw(connection, of_status, offset, query.n + 1 - len(ids))
        offset = max(0, offset - n)
    return ids


def _by_draw(connection: Connection, conditions: Conditions, offset: int, n: int) -> list[int]:
    """Return n ids from an offset on. The draw at the offset is read from the index alone, without the rows before."""
    at_offset = select(tasks.c.draw).where(*conditions).order_by(tasks.c.draw).offset(offset).limit(1)
    first = connection.execute(at_offset).scalar()
    if first is None:
        return []
    rest = select(tasks.c.item_id).where(*conditions, tasks.c.draw >= first).order_by(tasks.c.draw, tasks.c.id)
    return list(connection.execute(rest.limit(n)).scalars())


def _by_ambiguity(connection: Connection, conditions: Conditions, offset: int, n: int) -> list[int]:
    """Return n ids from an offset on, the most ambiguous first; several may be as ambiguous as the first of them."""
    rank = tasks.c.ambiguity
    at_offset = select(rank).where(*conditions).order_by(rank.desc()).offset(offset).limit(1)
    first = connection.execute(at_offset).scalar()
    if first is None:
        return []
    before = connection.execute(select(func.count()).where(*conditions, rank > first)).scalar_one()
    rest = select(tasks.c.item_id).where(*conditions, rank <= first).order_by(rank.desc(), tasks.c.id.desc())
    return list(connection.execute(rest.offset(offset - before).limit(n)).scalars())


def _special(connection: Connection, query: ItemQuery) -> list[int]:
    """Return the ids of a filter that is not about statuses."""
    conditions, n = _conditions(query), query.n + 1
    if query.filter == AMBIGUOUS:
        return _by_ambiguity(connection, conditions, query.offset, n)
    if query.filter == DISPUTED:
        return _by_draw(connection, conditions, query.offset, n)
    return _page(connection, select(tasks.c.item_id).where(*conditions).order_by(tasks.c.id), query)


def _conditions(query: ItemQuery) -> Conditions:
    """Return the conditions of a filter that is not about statuses."""
    of_question = tasks.c.question_id == query.question_id
    if query.filter == AMBIGUOUS:
        return of_question, tasks.c.ambiguity.is_not(None), tasks.c.ambiguity >= TOO_AMBIGUOUS
    if query.filter == DISPUTED:
        return of_question, tasks.c.disputed
    by_expert = tasks.c.status == BY_EXPERT, func.coalesce(tasks.c.wish, "") != LABEL  # and not by a requester
    return of_question, tasks.c.audited, *by_expert, _is_overruled()


def _is_overruled() -> ColumnElement[bool]:
    """Return the condition that a task's label differs from the last one of the classifier or the crowd."""
    before = (
        select(decisions.c.label)
        .where(decisions.c.task_id == tasks.c.id, decisions.c.status.in_((MACHINE, BY_CROWD)))
        .order_by(decisions.c.id.desc())
        .limit(1)
        .scalar_subquery()
    )
    return before != tasks.c.label


def _search(connection: Connection, plan: Plan, query: ItemQuery) -> list[int]:
    """Return the ids of items that match a text: scanned in the order they were added until there are enough."""
    assert query.search is not None
    ours = items.c.project_id == plan.id
    if connection.dialect.name == "sqlite":  # otherwise it takes the index of keys, and sorts all matches
        ours = items.c.project_id + 0 == plan.id
    ids = select(items.c.id).where(ours, _matches(connection, query.search))
    if query.statuses or query.filter != ALL:
        of_filter = [tasks.c.status.in_(query.statuses)] if query.statuses else _conditions(query)
        ids = ids.join(tasks, and_(tasks.c.item_id == items.c.id, tasks.c.question_id == query.question_id))
        ids = ids.where(*of_filter)
    return _page(connection, ids.order_by(items.c.id), query)


def _matches(connection: Connection, search: str) -> ColumnElement[bool]:
    """Return the condition that a key starts with a text, or the content contains it, whatever the case."""
    as_text = cast(items.c.content, Text)
    as_json = orjson.dumps(search).decode()[1:-1]
    parts = [items.c.content[name].as_string().icontains(search, autoescape=True) for name in SEARCHED]
    in_content = and_(as_text.icontains(as_json, autoescape=True), or_(*parts))
    return or_(_key_starts_with(connection, search), in_content)


def _key_starts_with(connection: Connection, search: str) -> ColumnElement[bool]:
    """Return the condition that a key starts with a text.

    SQLite compares bytes, so a range uses its index; PostgreSQL compares by the rules of a language.
    """
    if connection.dialect.name == "sqlite":
        return (items.c.key >= search) & (items.c.key < search + LAST_CHARACTER)
    return items.c.key.startswith(search, autoescape=True)


def _in_order(connection: Connection, ids: Sequence[int]) -> list[Record]:
    if not ids:
        return []
    rows = {row.id: row for row in connection.execute(select(*COLUMNS).where(items.c.id.in_(ids)))}
    return [rows[item_id] for item_id in ids]


def _parse_id(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 18:
        raise Invalid("`after` must be the `next` of the previous page")
    return int(text)


def _parse_draw(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise Invalid("`after` must be the `next` of the previous page") from None
