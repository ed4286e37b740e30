"""Lists of items by what became of them, any part of which is there at once: a page is found by walking an index."""

from collections.abc import Sequence
from dataclasses import dataclass

import orjson
from sqlalchemy import ColumnElement, Connection, Select, Text, and_, cast, func, or_, select

from quorate.service.decisions.evidence import LABEL
from quorate.service.decisions.task_state import ASKING, BY_CROWD, BY_EXPERT, DECIDED, MACHINE, WAITING
from quorate.service.errors import Invalid
from quorate.service.items.pages import COLUMNS, starts_with
from quorate.service.projects.plan import Plan
from quorate.service.store.database import Record
from quorate.service.store.tables import decisions, items, tallies, tasks
from quorate.service.workers.gold_checks import TOO_AMBIGUOUS

ALL, OPEN, AMBIGUOUS, DISPUTED, OVERRULED = "all", "open", "ambiguous", "disputed", "overruled"
FILTERS = (ALL, OPEN, WAITING, ASKING, *DECIDED, AMBIGUOUS, DISPUTED, OVERRULED)
SEARCHED = ("text", "text_a", "text_b", "html", "url", "media")  # parts of what is shown

Ids = Select[int]  # of one column
Conditions = tuple[ColumnElement[bool], ...]


@dataclass(frozen=True)
class Listed:
    """A part of a list. total: how many there are in all; None where that would take a look at every item."""

    rows: Sequence[Record]
    total: int | None
    more: bool


@dataclass(frozen=True)
class Wanted:
    """What a list holds: items whose task of one question is such, and that hold a text."""

    question_id: int
    chosen: str = ALL
    search: str | None = None
    offset: int = 0
    n: int = 100

    @property
    def statuses(self) -> tuple[str, ...]:
        """The statuses that are wanted; none where it is something else that makes the list."""
        named = (ASKING, WAITING) if self.chosen == OPEN else (self.chosen,)
        return tuple(one for one in named if one in (WAITING, ASKING, *DECIDED))


def listed(connection: Connection, plan: Plan, wanted: Wanted) -> Listed:
    """A part of a list of items."""
    if wanted.chosen not in FILTERS:
        raise Invalid(f"there is no filter {wanted.chosen!r}: the filters are {', '.join(FILTERS)}")
    if wanted.search:
        ids, total = _found(connection, plan, wanted), None
    elif wanted.chosen == ALL or wanted.statuses:
        counts = _counts(connection, wanted.question_id)
        total = sum(counts[one] for one in wanted.statuses or counts if one in counts)
        ids = _by_status(connection, wanted, counts) if wanted.statuses else _ids(connection, _all(wanted), wanted)
    else:
        ids = _special(connection, wanted)
        total = connection.execute(select(func.count()).where(*_conditions(wanted))).scalar()
    more = len(ids) > wanted.n
    return Listed(_in_order(connection, ids[: wanted.n]), total, more)


def _ids(connection: Connection, query: Ids, wanted: Wanted) -> list[int]:
    """One more than is wanted, to tell whether that is all."""
    return list(connection.execute(query.offset(wanted.offset).limit(wanted.n + 1)).scalars())


def _counts(connection: Connection, question_id: int) -> dict[str, int]:
    found = select(tallies.c.status, tallies.c.n).where(tallies.c.question_id == question_id)
    return dict(connection.execute(found).all())


def _all(wanted: Wanted) -> Ids:
    return select(tasks.c.item_id).where(tasks.c.question_id == wanted.question_id).order_by(tasks.c.item_id)


def _by_status(connection: Connection, wanted: Wanted, counts: dict[str, int]) -> list[int]:
    """One status after the other, each in the order of its draws; what comes before is counted by the tallies."""
    ids: list[int] = []
    offset = wanted.offset
    for status in wanted.statuses:
        n = counts.get(status, 0)
        if offset < n and len(ids) <= wanted.n:
            of_status = tasks.c.question_id == wanted.question_id, tasks.c.status == status
            ids += _by_draw(connection, of_status, offset, wanted.n + 1 - len(ids))
        offset = max(0, offset - n)
    return ids


def _by_draw(connection: Connection, which: Conditions, offset: int, n: int) -> list[int]:
    """From an offset on. The draw at that place is found in the index alone, without a look at the rows before."""
    place = select(tasks.c.draw).where(*which).order_by(tasks.c.draw).offset(offset).limit(1)
    first = connection.execute(place).scalar()
    if first is None:
        return []
    rest = select(tasks.c.item_id).where(*which, tasks.c.draw >= first).order_by(tasks.c.draw, tasks.c.id)
    return list(connection.execute(rest.limit(n)).scalars())


def _by_ambiguity(connection: Connection, which: Conditions, offset: int, n: int) -> list[int]:
    """The same from the most ambiguous on; several may be as ambiguous as the first that is wanted."""
    rank = tasks.c.ambiguity
    place = select(rank).where(*which).order_by(rank.desc()).offset(offset).limit(1)
    first = connection.execute(place).scalar()
    if first is None:
        return []
    before = connection.execute(select(func.count()).where(*which, rank > first)).scalar_one()
    rest = select(tasks.c.item_id).where(*which, rank <= first).order_by(rank.desc(), tasks.c.id.desc())
    return list(connection.execute(rest.offset(offset - before).limit(n)).scalars())


def _special(connection: Connection, wanted: Wanted) -> list[int]:
    """Items that stand out."""
    which, n = _conditions(wanted), wanted.n + 1
    if wanted.chosen == AMBIGUOUS:
        return _by_ambiguity(connection, which, wanted.offset, n)
    if wanted.chosen == DISPUTED:
        return _by_draw(connection, which, wanted.offset, n)
    return _ids(connection, select(tasks.c.item_id).where(*which).order_by(tasks.c.id), wanted)


def _conditions(wanted: Wanted) -> Conditions:
    """What makes items stand out."""
    of_question = tasks.c.question_id == wanted.question_id
    if wanted.chosen == AMBIGUOUS:
        return of_question, tasks.c.ambiguity.is_not(None), tasks.c.ambiguity >= TOO_AMBIGUOUS
    if wanted.chosen == DISPUTED:
        return of_question, tasks.c.disputed
    by_expert = tasks.c.status == BY_EXPERT, func.coalesce(tasks.c.wish, "") != LABEL  # and not by a requester
    return of_question, tasks.c.audited, *by_expert, _said_otherwise()


def _said_otherwise() -> ColumnElement[bool]:
    """Whether the label of a task is not the one that machine or crowd had given it last."""
    before = (
        select(decisions.c.label)
        .where(decisions.c.task_id == tasks.c.id, decisions.c.status.in_((MACHINE, BY_CROWD)))
        .order_by(decisions.c.id.desc())
        .limit(1)
        .scalar_subquery()
    )
    return before != tasks.c.label


def _found(connection: Connection, plan: Plan, wanted: Wanted) -> list[int]:
    """Items that hold a text: looked for one after the other, in the order they came, until there are enough."""
    assert wanted.search is not None
    ours = items.c.project_id == plan.id
    if connection.dialect.name == "sqlite":  # else it takes the index of keys, and sorts all that it finds
        ours = items.c.project_id + 0 == plan.id
    found = select(items.c.id).where(ours, holds(connection, wanted.search))
    if wanted.statuses or wanted.chosen != ALL:
        of_filter = [tasks.c.status.in_(wanted.statuses)] if wanted.statuses else _conditions(wanted)
        found = found.join(tasks, and_(tasks.c.item_id == items.c.id, tasks.c.question_id == wanted.question_id))
        found = found.where(*of_filter)
    return _ids(connection, found.order_by(items.c.id), wanted)


def holds(connection: Connection, search: str) -> ColumnElement[bool]:
    """Whether an item's key starts with a text, or what is shown of it holds the text, in large letters or small."""
    written = cast(items.c.content, Text)
    as_json = orjson.dumps(search).decode()[1:-1]
    parts = [items.c.content[name].as_string().icontains(search, autoescape=True) for name in SEARCHED]
    return or_(starts_with(connection, search), and_(written.icontains(as_json, autoescape=True), or_(*parts)))


def _in_order(connection: Connection, ids: Sequence[int]) -> list[Record]:
    if not ids:
        return []
    rows = {row.id: row for row in connection.execute(select(*COLUMNS).where(items.c.id.in_(ids)))}
    return [rows[one] for one in ids]
