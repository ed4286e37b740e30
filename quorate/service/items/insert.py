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
ADDING = 7_105_003  # with the project's number, PostgreSQL's lock while items are added to it

_THERE = select(items.c.key).where(
    items.c.project_id == bindparam("project"), items.c.key.in_(bindparam("keys", expanding=True))
)


@dataclass(frozen=True)
class NewItem:
    """An item to be added. content: what is shown, by kind. gold: its label by question, where it is known already."""

    key: str
    kind: str
    content: Mapping[str, Any]
    features: bytes | None = None
    gold: Mapping[int, int] | None = None  # question id -> class


@dataclass(frozen=True)
class Added:
    """What became of items: the ids of new tasks, and the keys that were there before."""

    task_ids: list[int]
    repeated: list[str]


class BulkItems:
    """Items of different keys, ready to be added."""

    def __init__(self, new: Sequence[NewItem]) -> None:
        self.new = new
        self._contents = [orjson.dumps(one.content).decode() for one in new]

    def add(self, connection: Connection, plan: Plan, rng: np.random.Generator, now: float) -> Added:
        """Add those that are not there yet, with their tasks; those that are stay as they are."""
        there = self._there(connection, plan)
        fresh = [place for place, one in enumerate(self.new) if one.key not in there]
        ids = reserve_ids(connection, items, len(fresh))
        rows = [self._row(plan, place, number, now) for place, number in zip(fresh, ids, strict=True)]
        insert_many(connection, items, ITEM_COLUMNS, rows)
        task_ids = self._add_tasks(connection, plan, fresh, ids, rng)
        return Added(task_ids, [one.key for one in self.new if one.key in there])

    def _there(self, connection: Connection, plan: Plan) -> set[str]:
        if connection.dialect.name == "postgresql":  # SQLite has one writer anyway
            connection.execute(select(func.pg_advisory_xact_lock(ADDING, plan.id % 2**31)))
        keys = [one.key for one in self.new]
        return set(connection.execute(_THERE, {"project": plan.id, "keys": keys}).scalars()) if keys else set()

    def _row(self, plan: Plan, place: int, number: int, now: float) -> tuple[object, ...]:
        one = self.new[place]
        return number, plan.id, one.key, one.kind, self._contents[place], one.features, now

    def _add_tasks(
        self, connection: Connection, plan: Plan, fresh: Sequence[int], ids: Sequence[int], rng: np.random.Generator
    ) -> list[int]:
        numbers = reserve_ids(connection, tasks, len(fresh) * len(plan.questions))
        left, tally, rows = iter(numbers), Counter[tuple[int, str]](), []
        for place, item_id, draw in zip(fresh, ids, rng.random(len(fresh)).tolist(), strict=True):
            known = self.new[place].gold or {}
            for question_id in plan.questions:
                gold = known.get(question_id)
                status, reason = (WAITING, None) if gold is None else (BY_EXPERT, KNOWN)
                rows.append((next(left), plan.id, question_id, item_id, status, gold, gold, draw, reason))
                tally[question_id, status] += 1
        insert_many(connection, tasks, TASK_COLUMNS, rows)
        add_to_tallies(connection, tally)
        return numbers
