"""Insert items, each with one task per question, with as little work as possible while other writers wait."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import orjson
from sqlalchemy import Connection, bindparam, func, select

from quorate.service.decisions.task_state import BY_EXPERT, WAITING
from quorate.service.projects.plan import Plan
from quorate.service.store.bulk import insert_many, reserve_ids
from quorate.service.store.tables import items, tasks
from quorate.service.store.tallies import add_to_tallies

ITEM_COLUMNS = ("id", "project_id", "key", "kind", "content", "features", "created_at")
TASK_COLUMNS = ("id", "project_id", "question_id", "item_id", "status", "label", "gold", "draw", "reason")
KNOWN = "it is known from the start"
ADDING = 7_105_003  # with the project's id, the advisory lock of PostgreSQL while items are added

_EXISTING = select(items.c.key).where(
    items.c.project_id == bindparam("project"), items.c.key.in_(bindparam("keys", expanding=True))
)


@dataclass(frozen=True)
class NewItem:
    """An item to be added. content: what is shown, by kind. gold: class by question, where there is a gold label."""

    key: str
    kind: str
    content: Mapping[str, Any]
    features: bytes | None = None
    gold: Mapping[int, int] | None = None  # by question id


@dataclass(frozen=True)
class Added:
    """The result of adding items: the ids of new tasks, and the keys that existed before."""

    task_ids: list[int]
    repeated: list[str]


class BulkItems:
    """Items with different keys, serialized before the database is locked."""

    def __init__(self, new: Sequence[NewItem]) -> None:
        self.new = new
        self._contents = [orjson.dumps(item.content).decode() for item in new]

    def add(self, connection: Connection, plan: Plan, rng: np.random.Generator, now: float) -> Added:
        """Add the items that do not exist yet, with their tasks; existing ones stay as they are."""
        existing = self._existing_keys(connection, plan)
        fresh = [index for index, item in enumerate(self.new) if item.key not in existing]
        ids = reserve_ids(connection, items, len(fresh))
        rows = [self._row(plan, index, item_id, now) for index, item_id in zip(fresh, ids, strict=True)]
        insert_many(connection, items, ITEM_COLUMNS, rows)
        task_ids = self._add_tasks(connection, plan, fresh, ids, rng)
        return Added(task_ids, [item.key for item in self.new if item.key in existing])

    def _existing_keys(self, connection: Connection, plan: Plan) -> set[str]:
        if connection.dialect.name == "postgresql":  # SQLite has one writer anyway
            connection.execute(select(func.pg_advisory_xact_lock(ADDING, plan.id % 2**31)))
        keys = [item.key for item in self.new]
        return set(connection.execute(_EXISTING, {"project": plan.id, "keys": keys}).scalars()) if keys else set()

    def _row(self, plan: Plan, index: int, item_id: int, now: float) -> tuple[object, ...]:
        item = self.new[index]
        return item_id, plan.id, item.key, item.kind, self._contents[index], item.features, now

    def _add_tasks(
        self, connection: Connection, plan: Plan, fresh: Sequence[int], ids: Sequence[int], rng: np.random.Generator
    ) -> list[int]:
        task_ids = reserve_ids(connection, tasks, len(fresh) * len(plan.questions))
        unused, tally, rows = iter(task_ids), Counter[tuple[int, str]](), []
        for index, item_id, draw in zip(fresh, ids, rng.random(len(fresh)).tolist(), strict=True):
            gold_labels = self.new[index].gold or {}
            for question_id in plan.questions:
                gold = gold_labels.get(question_id)
                status, reason = (WAITING, None) if gold is None else (BY_EXPERT, KNOWN)
                rows.append((next(unused), plan.id, question_id, item_id, status, gold, gold, draw, reason))
                tally[question_id, status] += 1
        insert_many(connection, tasks, TASK_COLUMNS, rows)
        add_to_tallies(connection, tally)
        return task_ids
