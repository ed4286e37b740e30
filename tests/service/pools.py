"""Small projects for the tests of the service."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sqlalchemy import insert, select

from quorate.service.decisions.activation import start
from quorate.service.items.insert import Added, BulkItems, NewItem
from quorate.service.projects.plan import plan_of
from quorate.service.projects.projects import create
from quorate.service.projects.settings import ProjectSettings
from quorate.service.store.database import Store
from quorate.service.store.tables import items, projects, voters
from quorate.service.work.assign import Assignment, assign
from quorate.service.work.submit import Answer, Receipt, submit


def settings(**changes: Any) -> ProjectSettings:
    """Return settings with two classes, cat and dog, and three votes per item, with some changes."""
    values: dict[str, Any] = {
        "name": "pets",
        "questions": [{"name": "pet", "classes": ["cat", "dog"]}],
        "policy": {"name": "fixed_votes", "options": {"n": 3}},
        "learner": {"name": "none"},
    }
    return ProjectSettings.model_validate(values | changes)


def make_project(
    store: Store,
    n_items: int = 4,
    *,
    gold: Mapping[int, int] | None = None,
    state: str | None = "running",
    **changes: Any,
) -> int:
    """Create a project with items 0, 1, ...; return its id. gold: classes of some items, for the first question."""
    with store.write() as connection:
        project_id = create(connection, settings(**changes), "test", store.clock())
        plan = plan_of(connection, project_id, 1)
        question = next(iter(plan.questions))
        new = [
            NewItem(str(n), "text", {"text": f"item {n}"}, gold={question: gold[n]} if gold and n in gold else None)
            for n in range(n_items)
        ]
    add_items(store, project_id, new)
    if state is not None:
        start(store, project_id, state, "test")
    return project_id


def add_items(store: Store, project_id: int, new: Sequence[NewItem], rng: np.random.Generator | None = None) -> Added:
    """Add items as an import does; return the ids of their tasks. rng: of the random order of the tasks."""
    with store.write() as connection:
        plan = plan_of(connection, project_id, 1)
        return BulkItems(new).add(connection, plan, rng or np.random.default_rng(0), store.clock())


def make_voters(store: Store, project_id: int, n: int, kind: str = "crowd") -> list[int]:
    rows = [
        {"project_id": project_id, "code": f"{kind}{i}", "kind": kind, "state": "active", "created_at": store.clock()}
        for i in range(n)
    ]
    with store.write() as connection:
        return list(connection.execute(insert(voters).returning(voters.c.id), rows).scalars())


def ask(store: Store, voter_id: int, n: int = 1) -> Assignment:
    with store.write() as connection:
        return assign(connection, voter_id, n, store.clock())


def vote(store: Store, voter_id: int, lease: int, label: str | None = "cat", **more: Any) -> Receipt:
    answer = replace(Answer(lease, f"k{lease}", label), **more)
    with store.write() as connection:
        return submit(connection, voter_id, [answer], store.clock())[0]


def keys_of(store: Store) -> dict[int, str]:
    """Return the keys of all items by id: voters see the ids only."""
    with store.read() as connection:
        return {row.id: row.key for row in connection.execute(select(items.c.id, items.c.key))}


def money(store: Store, project_id: int) -> Sequence[int]:
    """Return what is spent and what is reserved, in millionths."""
    with store.read() as connection:
        row = connection.execute(projects.select().where(projects.c.id == project_id)).one()
        return row.spent, row.committed
