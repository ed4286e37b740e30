"""Items come into the pool: one row each, and one task for every question that is asked of them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlalchemy import Connection, func, insert, select
from sqlalchemy.dialects import postgresql, sqlite

from quorate.service.decisions.task_state import BY_EXPERT, WAITING
from quorate.service.projects.plan import Plan
from quorate.service.store.tables import items, tasks
from quorate.service.store.tallies import add_to_tallies

KNOWN = "it is known from the start"


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


def add_items(
    connection: Connection, plan: Plan, new: Sequence[NewItem], rng: np.random.Generator, now: float
) -> Added:
    """Add items that are not there yet, with their tasks; those that are stay as they are."""
    distinct = list({item.key: item for item in reversed(new)}.values())[::-1]  # the first of each key
    rows = [
        {
            "project_id": plan.id,
            "key": one.key,
            "kind": one.kind,
            "content": dict(one.content),
            "features": one.features,
            "created_at": now,
        }
        for one in distinct
    ]
    if not rows:
        return Added([], [])
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    add = dialect.insert(items).on_conflict_do_nothing().returning(items.c.id, items.c.key)
    ids = {row.key: row.id for row in connection.execute(add, rows)}
    fresh = [one for one in distinct if one.key in ids]
    task_ids = _add_tasks(connection, plan, fresh, ids, rng) if fresh else []
    return Added(task_ids, [one.key for one in distinct if one.key not in ids])


def _add_tasks(
    connection: Connection, plan: Plan, fresh: Sequence[NewItem], ids: Mapping[str, int], rng: np.random.Generator
) -> list[int]:
    rows = []
    for one, draw in zip(fresh, rng.random(len(fresh)).tolist(), strict=True):
        for question_id in plan.questions:
            gold = (one.gold or {}).get(question_id)
            rows.append(
                {
                    "project_id": plan.id,
                    "question_id": question_id,
                    "item_id": ids[one.key],
                    "gold": gold,
                    "draw": draw,
                    "status": WAITING if gold is None else BY_EXPERT,
                    "label": gold,
                    "reason": None if gold is None else KNOWN,
                }
            )
    task_ids = list(connection.execute(insert(tasks).returning(tasks.c.id), rows).scalars())
    add_to_tallies(connection, Counter((row["question_id"], row["status"]) for row in rows))
    return task_ids


def count_items(connection: Connection, project_id: int) -> int:
    """How many items a project has."""
    return connection.execute(select(func.count()).where(items.c.project_id == project_id)).scalar_one()
