"""Votes that come in at the same moment do not wait for each other in a circle."""

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from sqlalchemy import event, select, update

from quorate.data.votes import Votes
from quorate.service.decisions.decide import decide_tasks
from quorate.service.decisions.model_versions import publish_model
from quorate.service.projects.plan import plan_of
from quorate.service.projects.projects import get
from quorate.service.store.database import Store
from quorate.service.store.tables import items, tasks
from tests.service.pools import make_project

QUESTIONS = [{"name": name, "classes": ["no", "yes"]} for name in ("furry", "tame")]


def fit_models(store: Store, project: int) -> None:
    votes = Votes.from_matrix([["no", "no"], ["yes", "yes"]])
    with store.write() as connection:
        plan = plan_of(connection, project, get(connection, project).settings_version)
        for asked in plan.questions.values():
            fused = asked.policy.fit(votes, {}, np.full(2, -1))
            publish_model(connection, asked.id, fused, n_votes=4, machine=None, metrics={}, at=store.clock())


@pytest.mark.both_databases
def test_tasks_of_the_same_item_are_decided_at_once(store: Store) -> None:
    """Decide both questions of different items in one transaction, and the second of the first item in another."""
    project = make_project(store, 2, questions=QUESTIONS)
    fit_models(store, project)
    with store.write() as connection:
        rows = connection.execute(select(tasks.c.id).order_by(tasks.c.question_id, tasks.c.item_id)).scalars().all()
        connection.execute(update(tasks).values(gold=1))
    item_written, status_counted = threading.Event(), threading.Event()

    def take_turns(connection: Any, cursor: Any, statement: str, *more: Any) -> None:
        if statement.startswith("UPDATE items"):
            item_written.set()
            status_counted.wait(0.5)  # in vain, if the other waits for the lock on the item
        if statement.startswith("INSERT INTO tallies") and item_written.is_set():
            status_counted.set()

    def decide(*task_ids: int) -> None:
        with store.write() as connection:
            plan = plan_of(connection, project, get(connection, project).settings_version)
            decide_tasks(connection, plan, task_ids, store.clock())

    def decide_later(*task_ids: int) -> None:
        assert item_written.wait(10)
        decide(*task_ids)

    event.listen(store.engine, "after_cursor_execute", take_turns)
    with ThreadPoolExecutor(2) as pool:
        both = [pool.submit(decide, rows[0], rows[3]), pool.submit(decide_later, rows[2])]
        for done in both:
            done.result(timeout=30)
    decide(rows[1])
    with store.read() as connection:
        assert connection.execute(select(items.c.decided)).scalars().all() == [True, True]
