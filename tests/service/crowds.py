"""Simulated projects: items with informative features, and voters who are right most of the time."""

import random
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import select

from quorate.service.decisions.activation import start
from quorate.service.items.insert import NewItem
from quorate.service.learner.loop import Learner
from quorate.service.projects.plan import plan_of
from quorate.service.projects.projects import create, get
from quorate.service.refit.write_tasks import Pace
from quorate.service.store.database import Record, Store
from quorate.service.store.tables import items, tasks
from quorate.service.work.leases import Lease
from quorate.service.work.submit import Answer, submit
from tests.service.conftest import Clock
from tests.service.pools import add_items, ask, keys_of, make_voters, settings

ENGINE = {"policy": {"name": "expected_loss"}, "learner": {"name": "linear"}}


@dataclass
class World:
    """A running project, its true classes, and voters of some accuracy."""

    store: Store
    clock: Clock
    project: int
    truth: NDArray[np.int64]  # (n_items, n_questions)
    voters: list[int]
    rng: np.random.Generator
    accuracy: float = 0.85
    learner: Learner = field(init=False)
    bought: int = 0

    def __post_init__(self) -> None:
        self.learner = new_learner(self.store, self.clock)

    @cached_property
    def keys(self) -> dict[int, str]:
        """The keys of the items by id."""
        return keys_of(self.store)

    @property
    def state(self) -> str:
        with self.store.read() as connection:
            return str(get(connection, self.project).state)

    def people_vote(self, share: float = 0.5, batch: int = 5) -> int:
        """Let a share of the voters ask for work and do it; return how many votes they gave."""
        before = self.bought
        for voter in self.voters:
            if self.rng.random() < share:
                self.bought += len(self.vote_batch(voter, batch))
        self.clock.now += 3.0
        return self.bought - before

    def vote_batch(self, voter: int, batch: int) -> list[Answer]:
        answers = [self.answer(lease) for lease in ask(self.store, voter, batch).leases]
        if answers:
            with self.store.write() as connection:
                submit(connection, voter, answers, self.clock.now)
        return answers

    def answer(self, lease: Lease) -> Answer:
        with self.store.read() as connection:
            row = get(connection, self.project)
            question = plan_of(connection, self.project, row.settings_version).questions[lease.question_id]
        names = question.question.class_names
        truth = int(self.truth[int(self.keys[lease.item_id]), question.position])
        label = truth if self.rng.random() < self.accuracy else int(self.rng.integers(len(names)))
        return Answer(lease.id, f"k{lease.id}", names[label])

    def to_the_end(self, most: int = 300) -> None:
        for _ in range(most):
            if self.state in ("done", "estimate"):
                return
            self.people_vote()
            self.learner.run_due_rounds()
        raise AssertionError("the project never ends")

    def rows(self) -> list[Record]:
        query = select(tasks, items.c.key).join(items, items.c.id == tasks.c.item_id).order_by(tasks.c.id)
        with self.store.read() as connection:
            return list(connection.execute(query))

    def wrong(self) -> float:
        """Return the share of tasks of the first question that have the wrong label."""
        rows = self.rows()
        return float(np.mean([row.label != self.truth[int(row.key), 0] for row in rows]))


def new_learner(store: Store, clock: Clock) -> Learner:
    return Learner(store, pace=Pace(pause=lambda seconds: None), clock=clock)


def make_world(
    store: Store,
    clock: Clock,
    n_items: int = 120,
    *,
    seed: int = 0,
    n_voters: int = 24,
    state: str = "running",
    **changes: Any,
) -> World:
    """Create a project whose features predict the classes well; every question has features of its own."""
    random.seed(seed)  # tasks are assigned in a random order
    rng = np.random.default_rng(seed)
    project_settings = settings(**(ENGINE | changes))
    truth = rng.integers(2, size=(n_items, len(project_settings.questions)))
    x = rng.normal(size=(n_items, 4)) + 3 * np.repeat(truth, 4, axis=1)[:, :4]
    with store.write() as connection:
        project = create(connection, project_settings, "test", clock.now)
    new = [NewItem(str(n), "features", {}, x[n].astype("<f4").tobytes()) for n in range(n_items)]
    add_items(store, project, new, rng)
    start(store, project, state, "test")
    return World(store, clock, project, truth, make_voters(store, project, n_voters), rng)
