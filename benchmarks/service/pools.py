"""Pools for benchmarks, written to the database directly: running projects, their items, and sessions of workers."""

from dataclasses import dataclass

import numpy as np
from sqlalchemy import func, insert, select, update

from quorate.data.ids import as_names
from quorate.data.votes import Votes
from quorate.service.accounts.credentials import new_voter_session
from quorate.service.decisions.activation import start
from quorate.service.decisions.decide import decide_rows
from quorate.service.decisions.evidence import TASK_COLUMNS
from quorate.service.decisions.model_versions import publish_model
from quorate.service.items.insert import BulkItems, NewItem
from quorate.service.projects import projects
from quorate.service.projects.plan import Plan, QuestionPlan, plan_of
from quorate.service.projects.settings import ProjectSettings
from quorate.service.store.database import Store
from quorate.service.store.tables import tallies, tasks, voters

CHUNK = 5000  # items per transaction
LABELS = ("yes", "no")
ACCURACY = 0.8  # of the workers
TEXT = "short text number "
STATE_COLUMNS = (
    "status",
    "label",
    "ask",
    "wanted",
    "priority",
    "expected_cost",
    "value",
    "confidence",
    "posterior",
    "reason",
)


@dataclass(frozen=True)
class Pool:
    """A running project, and the sessions of its workers."""

    project: int
    sessions: list[str]


def settings_of(
    name: str, *, votes: int | None = None, budget: float | None = None, lease_seconds: float = 120.0
) -> ProjectSettings:
    """Return settings of a question with two classes, decided by the engine or by a fixed number of votes."""
    policy = {"name": "expected_loss"} if votes is None else {"name": "fixed_votes", "options": {"n": votes}}
    return ProjectSettings.model_validate(
        {
            "name": name,
            "questions": [{"name": "label", "classes": list(LABELS)}],
            "budget": budget,
            "policy": policy,
            "workers": {"batch": 5, "lease_seconds": lease_seconds},
        }
    )


def make_pool(store: Store, settings: ProjectSettings, *, n_items: int, n_workers: int) -> Pool:
    """Create a project with n_items short texts, start it, and skip its first votes."""
    now = store.clock()
    with store.write() as connection:
        project = projects.create(connection, settings, "benchmark", now)
    rng = np.random.default_rng(0)
    for first in range(0, n_items, CHUNK):
        chunk = BulkItems([_item(row) for row in range(first, min(first + CHUNK, n_items))])
        with store.write() as connection:
            chunk.add(connection, plan_of(connection, project, 1), rng, now)
    start(store, project, projects.RUNNING, "benchmark")
    if settings.policy.name == "expected_loss":
        _open_all(store, project)
    return Pool(project, _workers(store, project, n_workers))


def truth_of(text: str) -> int:
    """Return the true class of an item, given its text.

    >>> truth_of("short text number 17: rusty old nail")
    1
    """
    return int(text.removeprefix(TEXT).partition(":")[0]) % len(LABELS)


def _item(row: int) -> NewItem:
    words = ("green fresh leaf", "rusty old nail")[row % 2]
    return NewItem(f"item{row}", "text", {"text": f"{TEXT}{row}: {words}"})


def _open_all(store: Store, project: int) -> None:
    """Give the engine a model of workers, as if the first votes were in, and ask for votes on every task.

    All tasks without votes have the same state, so that one is decided and copied to the others.
    """
    with store.write() as connection:
        plan = plan_of(connection, project, 1)
        question = next(iter(plan.questions.values()))
        votes = _first_votes(question)
        fused = question.policy.fit(votes, {}, np.full(votes.n_tasks, -1))
        metrics = {"n_votes": len(votes)}
        model = publish_model(
            connection, question.id, fused, n_votes=len(votes), machine=None, metrics=metrics, at=store.clock()
        )
        connection.execute(update(tasks).where(tasks.c.question_id == question.id).values(least_votes=0))
        rows = connection.execute(select(*TASK_COLUMNS).where(tasks.c.question_id == question.id).limit(1)).all()
        decide_rows(connection, plan, rows, store.clock())
    _copy_state(store, plan, question, rows[0].id, model)


def _copy_state(store: Store, plan: Plan, question: QuestionPlan, task: int, model: int) -> None:
    with store.write() as connection:
        state = connection.execute(select(*(tasks.c[name] for name in STATE_COLUMNS)).where(tasks.c.id == task)).one()
        first, last = connection.execute(
            select(func.min(tasks.c.id), func.max(tasks.c.id)).where(tasks.c.project_id == plan.id)
        ).one()
    for begin in range(first, last + 1, 20 * CHUNK):
        rows = tasks.c.id.between(begin, begin + 20 * CHUNK - 1), tasks.c.project_id == plan.id
        with store.write() as connection:
            connection.execute(update(tasks).where(*rows).values(**state._mapping, model_id=model))
    with store.write() as connection:
        n_tasks = connection.execute(select(func.sum(tallies.c.n)).where(tallies.c.question_id == question.id)).scalar()
        connection.execute(update(tallies).where(tallies.c.question_id == question.id).values(n=0))
        of_status = tallies.c.question_id == question.id, tallies.c.status == state.status
        connection.execute(update(tallies).where(*of_status).values(n=n_tasks))


def _first_votes(question: QuestionPlan) -> Votes:
    """Draw three votes on each of 150 tasks."""
    rng = np.random.default_rng(0)
    task, truth = np.repeat(np.arange(150), 3), np.repeat(np.arange(150) % len(LABELS), 3)
    worker = np.concatenate([rng.choice(20, 3, replace=False) for _ in range(150)])
    label = np.where(rng.random(len(truth)) < ACCURACY, truth, 1 - truth)
    return Votes(
        task=task,
        worker=worker,
        label=label,
        tasks=as_names([f"first{row}" for row in range(150)]),
        workers=as_names([f"worker{row}" for row in range(20)]),
        classes=as_names(list(question.question.class_names)),
    )


def _workers(store: Store, project: int, n_workers: int) -> list[str]:
    now = store.clock()
    values = {"project_id": project, "kind": "crowd", "state": "active", "created_at": now}
    rows = [values | {"code": f"worker{row}"} for row in range(n_workers)]
    with store.write() as connection:
        ids = connection.execute(insert(voters).returning(voters.c.id), rows).scalars().all()
        return [new_voter_session(connection, voter, project, now) for voter in ids]
