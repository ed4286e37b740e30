"""Rows that were read, made into items of a project: labels by their numbers, and nothing that is there twice."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sqlalchemy import Connection, bindparam, func, select

from quorate.service.items.insert import BulkItems, NewItem
from quorate.service.items.rows import BadRow, Row
from quorate.service.projects.plan import Plan, QuestionPlan
from quorate.service.store.blobs import BLOB_TYPE, to_blob
from quorate.service.store.database import Record
from quorate.service.store.tables import items

_THERE = select(items.c.key, items.c.kind, items.c.content, items.c.features).where(
    items.c.project_id == bindparam("project"), items.c.key.in_(bindparam("keys", expanding=True))
)
# The order is that of a partial index: without it, PostgreSQL may scan the table for a first match that is not there.
_FEATURE_BYTES = (
    select(func.length(items.c.features))
    .where(items.c.project_id == bindparam("project"), items.c.features.is_not(None))
    .order_by(items.c.created_at)
    .limit(1)
)


@dataclass
class Outcome:
    """What became of some rows."""

    task_ids: list[int] = field(default_factory=list)
    added: int = 0
    repeated: int = 0
    bad: list[BadRow] = field(default_factory=list)


@dataclass(frozen=True)
class ValidatedRows:
    """Rows that can go in, with their numbers, and those that cannot. Made before the database is locked."""

    numbers: list[int]
    items: BulkItems
    repeated: int
    bad: list[BadRow]


def validate_rows(plan: Plan, rows: Iterable[Row | BadRow], width: int | None) -> ValidatedRows:
    """Items of rows. width: how many numbers an item of this project has; none = none has any yet."""
    questions = {asked.question.name: asked for asked in plan.questions.values()}
    first: dict[str, NewItem] = {}
    numbers, repeated, bad = list[int](), 0, list[BadRow]()
    for row in rows:
        if isinstance(row, BadRow):
            bad.append(row)
            continue
        wrong = _wrong_width(row, width) or _wrong_label(row, questions)
        if wrong is not None:
            bad.append(BadRow(row.number, wrong))
            continue
        width = width if row.features is None else len(row.features)
        item = _item(row, questions)
        known = first.setdefault(row.key, item)
        if known is item:
            numbers.append(row.number)
        elif _shown(known) == _shown(item):
            repeated += 1
        else:
            bad.append(BadRow(row.number, _other(row.key)))
    return ValidatedRows(numbers, BulkItems(list(first.values())), repeated, bad)


def insert_rows(
    connection: Connection, plan: Plan, ready: ValidatedRows, rng: np.random.Generator, now: float
) -> Outcome:
    """Add what is ready. An item that is there already is fine, one with the same key and other content is not."""
    added = ready.items.add(connection, plan, rng, now)
    other = _others(connection, plan.id, added.repeated, ready.items.new)
    rows = zip(ready.numbers, ready.items.new, strict=True)
    bad = [BadRow(number, _other(item.key)) for number, item in rows if item.key in other]
    return Outcome(
        task_ids=added.task_ids,
        added=len(ready.items.new) - len(added.repeated),
        repeated=len(added.repeated) - len(other) + ready.repeated,
        bad=sorted([*ready.bad, *bad], key=lambda row: row.number),
    )


def width_of(connection: Connection, project_id: int) -> int | None:
    """Return how many features the items of a project have; None where no item has any."""
    n_bytes = connection.execute(_FEATURE_BYTES, {"project": project_id}).scalar()
    return None if n_bytes is None else int(n_bytes) // BLOB_TYPE.itemsize


def _others(connection: Connection, project_id: int, keys: Sequence[str], new: Sequence[NewItem]) -> set[str]:
    """Those keys whose item is another one than we were going to add."""
    if not keys:
        return set()
    ours = {item.key: _shown(item) for item in new}
    there = connection.execute(_THERE, {"project": project_id, "keys": list(keys)})
    return {row.key for row in there if _shown(row) != ours[row.key]}


def _shown(item: NewItem | Record) -> tuple[str, Any, bytes | None]:
    return item.kind, item.content, item.features


def _item(row: Row, questions: Mapping[str, QuestionPlan]) -> NewItem:
    gold = {questions[name].id: questions[name].label_of[label] for name, label in row.gold.items()}
    features = None if row.features is None else to_blob(row.features)
    return NewItem(row.key, row.kind, row.content, features, gold or None)


def _wrong_width(row: Row, width: int | None) -> str | None:
    if row.features is None or width is None or len(row.features) == width:
        return None
    return f"there are {len(row.features)} numbers, where the items of this project have {width}"


def _wrong_label(row: Row, questions: Mapping[str, QuestionPlan]) -> str | None:
    for name, label in row.gold.items():
        labels = questions[name].label_of
        if label not in labels:
            return f"the label of {name!r} must be one of {', '.join(labels)}, got {label!r}"[:500]
    return None


def _other(key: str) -> str:
    return f"the key {key!r} is there already, with other content: give this item a key of its own"
