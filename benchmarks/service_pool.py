"""A pool of so many items to measure on, written straight into a database: projects, items, workers."""

from dataclasses import dataclass

import numpy as np
from sqlalchemy import insert

from quorate.service.project_settings import ProjectSettings
from quorate.service.store.database import Store
from quorate.service.store.tables import voters
from quorate.service.usecases import opening, projects
from quorate.service.usecases.credentials import new_voter_session
from quorate.service.usecases.items import NewItem, add_items

CHUNK = 5000  # items per transaction


@dataclass(frozen=True)
class Pool:
    """A project that is running, and the sessions of its workers."""

    project: int
    sessions: list[str]


def settings_of(
    *, policy: str = "expected_loss", n: int | None = None, budget: float | None = None, lease_seconds: float = 120.0
) -> ProjectSettings:
    """A question of two classes. n: how many votes `fixed_votes` wants."""
    return ProjectSettings.model_validate(
        {
            "name": f"pool by {policy}",
            "questions": [{"name": "label", "classes": ["yes", "no"]}],
            "budget": budget,
            "policy": {"name": policy, "options": {} if n is None else {"n": n}},
            "learner": {"name": "none"},
            "workers": {"batch": 5, "lease_seconds": lease_seconds},
        }
    )


def make_pool(store: Store, settings: ProjectSettings, *, n_items: int, n_workers: int, run: bool = True) -> Pool:
    """Fill a database that has its tables, and put the project to work."""
    rng, now = np.random.default_rng(0), store.clock()
    with store.write() as connection:
        project = projects.create(connection, settings, "benchmark", now)
    for first in range(0, n_items, CHUNK):
        texts = [(row, f"short text number {row}") for row in range(first, min(first + CHUNK, n_items))]
        with store.write() as connection:
            plan = projects.plan_of(connection, project, 1)
            add_items(
                connection, plan, [NewItem(f"item{row}", "text", {"text": text}) for row, text in texts], rng, now
            )
    if run:
        opening.start(store, project, projects.RUNNING, "benchmark")
    return Pool(project, _workers(store, project, n_workers))


def _workers(store: Store, project: int, n_workers: int) -> list[str]:
    rows = [
        {
            "project_id": project,
            "code": f"worker{row}",
            "kind": "crowd",
            "state": "active",
            "created_at": store.clock(),
        }
        for row in range(n_workers)
    ]
    with store.write() as connection:
        ids = connection.execute(insert(voters).returning(voters.c.id), rows).scalars().all()
        return [new_voter_session(connection, one, project, store.clock()) for one in ids]
