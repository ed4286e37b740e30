"""Summaries of items: the columns that lists show of an item, and the state of its tasks."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, select

from quorate.service.projects.plan import Plan
from quorate.service.store.blobs import by_class
from quorate.service.store.database import Record
from quorate.service.store.tables import items, tasks

COLUMNS = (items.c.id, items.c.key, items.c.kind, items.c.content, items.c.decided, items.c.created_at)
TASK_FIELDS = ("id", "question_id", "status", "n_votes", "confidence", "reason", "ambiguity")


def summarize_tasks(connection: Connection, plan: Plan, item_ids: Sequence[int]) -> dict[int, list[dict[str, Any]]]:
    """Return the state of the tasks of some items, by item, in the order of the questions."""
    query = select(tasks).where(tasks.c.item_id.in_(item_ids)).order_by(tasks.c.item_id, tasks.c.question_id)
    summaries: dict[int, list[dict[str, Any]]] = {item_id: [] for item_id in item_ids}
    for row in connection.execute(query) if item_ids else ():
        summaries[row.item_id].append(_summarize_task(plan, row))
    return summaries


def _summarize_task(plan: Plan, row: Record) -> dict[str, Any]:
    question = plan.questions[row.question_id].question
    names = question.class_names
    return {name: getattr(row, name) for name in TASK_FIELDS} | {
        "question": question.name,
        "label": class_name(names, row.label),
        "gold": class_name(names, row.gold),
        "posterior": by_class(names, row.posterior),
    }


def class_name(names: Sequence[str], label: int | None) -> str | None:
    """Return the name of a class by its index; None where there is no label."""
    return None if label is None else names[label]
