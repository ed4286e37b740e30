"""Validation of rows: labels become class indices, features have one width, and every key occurs once."""

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

_EXISTING = select(items.c.key, items.c.kind, items.c.content, items.c.features).where(
    items.c.project_id == bindparam("project"), items.c.key.in_(bindparam("keys", expanding=True))
)
# The order is that of a partial index: without it, PostgreSQL may scan the table for a match that does not exist.
_FEATURE_BYTES = (
    select(func.length(items.c.features))
    .where(items.c.project_id == bindparam("project"), items.c.features.is_not(None))
    .order_by(items.c.created_at)
    .limit(1)
)


@dataclass
class Outcome:
    """The result of inserting rows.

    Attributes:
        task_ids: of new tasks.
        added: the number of new items.
        repeated: the number of rows whose item existed already.
        bad: the rows that were skipped.
    """

    task_ids: list[int] = field(default_factory=list)
    added: int = 0
    repeated: int = 0
    bad: list[BadRow] = field(default_factory=list)


@dataclass(frozen=True)
class ValidatedRows:
    """Rows that can be inserted, and those that cannot. Built before the database is locked.

    Attributes:
        numbers: of the valid rows.
        items: of the valid rows.
        repeated: the number of rows that repeat an earlier one.
        bad: the rows that are skipped.
    """

    numbers: list[int]
    items: BulkItems
    repeated: int
    bad: list[BadRow]


def validate_rows(plan: Plan, rows: Iterable[Row | BadRow], width: int | None) -> ValidatedRows:
    """Return the items of rows. width: the number of features of this project's items; None where no item has any."""
    questions = {planned.question.name: planned for planned in plan.questions.values()}
    first: dict[str, NewItem] = {}
    numbers, repeated, bad = list[int](), 0, list[BadRow]()
    for row in rows:
        if isinstance(row, BadRow):
            bad.append(row)
            continue
        problem = _check_width(row, width) or _check_labels(row, questions)
        if problem is not None:
            bad.append(BadRow(row.number, problem))
            continue
        width = width if row.features is None else len(row.features)
        item = _item(row, questions)
        earlier = first.setdefault(row.key, item)
        if earlier is item:
            numbers.append(row.number)
        elif _content(earlier) == _content(item):
            repeated += 1
        else:
            bad.append(BadRow(row.number, _duplicate(row.key)))
    return ValidatedRows(numbers, BulkItems(list(first.values())), repeated, bad)


def insert_rows(
    connection: Connection, plan: Plan, ready: ValidatedRows, rng: np.random.Generator, now: float
) -> Outcome:
    """Insert validated rows. A key that exists with the same content is fine; with other content it is a bad row."""
    added = ready.items.add(connection, plan, rng, now)
    conflicts = _conflicts(connection, plan.id, added.repeated, ready.items.new)
    rows = zip(ready.numbers, ready.items.new, strict=True)
    bad = [BadRow(number, _duplicate(item.key)) for number, item in rows if item.key in conflicts]
    return Outcome(
        task_ids=added.task_ids,
        added=len(ready.items.new) - len(added.repeated),
        repeated=len(added.repeated) - len(conflicts) + ready.repeated,
        bad=sorted([*ready.bad, *bad], key=lambda row: row.number),
    )


def width_of(connection: Connection, project_id: int) -> int | None:
    """Return how many features the items of a project have; None where no item has any."""
    n_bytes = connection.execute(_FEATURE_BYTES, {"project": project_id}).scalar()
    return None if n_bytes is None else int(n_bytes) // BLOB_TYPE.itemsize


def _conflicts(connection: Connection, project_id: int, keys: Sequence[str], new: Sequence[NewItem]) -> set[str]:
    """Return the keys whose existing item has other content than the new one."""
    if not keys:
        return set()
    new_contents = {item.key: _content(item) for item in new}
    existing = connection.execute(_EXISTING, {"project": project_id, "keys": list(keys)})
    return {row.key for row in existing if _content(row) != new_contents[row.key]}


def _content(item: NewItem | Record) -> tuple[str, Any, bytes | None]:
    return item.kind, item.content, item.features


def _item(row: Row, questions: Mapping[str, QuestionPlan]) -> NewItem:
    gold = {questions[name].id: questions[name].label_of[label] for name, label in row.gold.items()}
    features = None if row.features is None else to_blob(row.features)
    return NewItem(row.key, row.kind, row.content, features, gold or None)


def _check_width(row: Row, width: int | None) -> str | None:
    if row.features is None or width is None or len(row.features) == width:
        return None
    return f"the item has {len(row.features)} features, but the items of this project have {width}"


def _check_labels(row: Row, questions: Mapping[str, QuestionPlan]) -> str | None:
    for name, label in row.gold.items():
        labels = questions[name].label_of
        if label not in labels:
            return f"the label of {name!r} must be one of {', '.join(labels)}, got {label!r}"[:500]
    return None


def _duplicate(key: str) -> str:
    return f"the key {key!r} exists already with other content: give this item a key of its own"
