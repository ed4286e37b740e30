"""Results of items that were sent to be classified."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, select

from quorate.service.decisions.task_state import DECIDED
from quorate.service.errors import NotFound
from quorate.service.projects.plan import Plan
from quorate.service.store.database import Record
from quorate.service.store.tables import items, tasks

INCLUDED, EXCLUDED = "included", "excluded"
NUMBERS = ("confidence", "expected_cost", "reason")
_ITEM_COLUMNS = (items.c.id, items.c.key, items.c.decided, items.c.label)
_BY_KEY = select(*_ITEM_COLUMNS).where(
    items.c.project_id == bindparam("project"), items.c.key.in_(bindparam("keys", expanding=True))
)
_BY_ID = select(*_ITEM_COLUMNS).where(items.c.project_id == bindparam("project"), items.c.id == bindparam("id"))
_TASKS = (
    select(tasks.c.item_id, tasks.c.question_id, tasks.c.status, tasks.c.label, *(tasks.c[name] for name in NUMBERS))
    .where(tasks.c.item_id.in_(bindparam("ids", expanding=True)))
    .order_by(tasks.c.id)
)


def results(connection: Connection, plan: Plan, keys: Sequence[str]) -> list[dict[str, Any]]:
    """Return the results of items by their keys, in the same order."""
    rows = connection.execute(_BY_KEY, {"project": plan.id, "keys": list(keys)}).all()
    by_key = {values["item"]: values for values in _describe(connection, plan, rows)}
    missing = [key for key in keys if key not in by_key]
    if missing:
        raise NotFound(f"project {plan.id} has no item {missing[0]!r}")
    return [by_key[key] for key in keys]


def result(connection: Connection, plan: Plan, item_id: int) -> dict[str, Any]:
    """Return the result of one item, by its id."""
    rows = connection.execute(_BY_ID, {"project": plan.id, "id": item_id}).all()
    if not rows:
        raise NotFound(f"project {plan.id} has no item {item_id}")
    return _describe(connection, plan, rows)[0]


def _describe(connection: Connection, plan: Plan, rows: Sequence[Record]) -> list[dict[str, Any]]:
    asked: dict[int, list[Record]] = {row.id: [] for row in rows}
    for task in connection.execute(_TASKS, {"ids": list(asked)}):
        asked[task.item_id].append(task)
    return [_result(plan, row, [_answer(plan, task) for task in asked[row.id]]) for row in rows]


def _answer(plan: Plan, task: Record) -> dict[str, Any]:
    """Return the answer to one question; it is empty while the question is not decided."""
    question = plan.questions[task.question_id].question
    if task.status not in DECIDED:
        return {"question": question.name, "status": task.status, "label": None, **dict.fromkeys(NUMBERS)}
    label = None if task.label is None else question.class_names[task.label]
    numbers = {name: getattr(task, name) for name in NUMBERS}
    return {"question": question.name, "status": task.status, "label": label, **numbers}


def _result(plan: Plan, row: Record, answers: list[dict[str, Any]]) -> dict[str, Any]:
    only = answers[0] if len(answers) == 1 else dict.fromkeys(("label", *NUMBERS))
    values: dict[str, Any] = {"item": row.key, "id": row.id, "status": "decided" if row.decided else "queued"}
    values |= {name: only[name] if row.decided else None for name in ("label", *NUMBERS)}
    if plan.is_screening and row.decided and row.label is not None:
        values["label"] = INCLUDED if row.label else EXCLUDED
    return values | {"answers": answers}
