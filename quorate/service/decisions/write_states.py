"""Writing the states of tasks: what changed is counted, kept as history, noted with the items and announced."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select, update

from quorate.service.decisions.task_state import DECIDED, TaskState
from quorate.service.projects.plan import Plan
from quorate.service.store.database import Record
from quorate.service.store.tables import decisions, items, tasks
from quorate.service.store.tallies import count_moves
from quorate.service.webhooks.events import ITEM_DECIDED, ITEM_REOPENED, announce_all, subscribers

_WRITE = update(tasks).where(tasks.c.id == bindparam("task"))
_WRITE_ITEM = update(items).where(items.c.id == bindparam("item"))
_LOCK_ITEMS = (
    select(items.c.id)
    .where(items.c.id.in_(bindparam("ids", expanding=True)))
    .order_by(items.c.id)
    .with_for_update(key_share=True)
)
_KEYS = select(items.c.id, items.c.key).where(items.c.id.in_(bindparam("ids", expanding=True)))
_OF_ITEM = select(tasks.c.status).where(tasks.c.item_id == bindparam("item"))

Changes = Sequence[tuple[Record, TaskState]]  # the row before, and the state after


def lock_items(connection: Connection, plan: Plan, rows: Sequence[Record]) -> None:
    """Lock the items of some tasks, where several questions are asked about each.

    Votes on different tasks then write the same items, in the order of the questions: without this they deadlock, and
    two votes that decide the last tasks of an item do not see each other. In a screening, who writes an item has locked
    all its tasks.
    """
    if len(plan.questions) > 1 and not plan.is_screening:
        connection.execute(_LOCK_ITEMS, {"ids": sorted({row.item_id for row in rows})})


def write_task_states(
    connection: Connection,
    plan: Plan,
    before: Sequence[Record],
    after: Sequence[TaskState],
    model_id: int | None,
    at: float,
) -> None:
    """Write the states of tasks, and everything that follows from those that changed.

    Args:
        connection: a transaction that has locked the rows.
        plan: the plan of the project.
        before: rows of the tasks.
        after: the new state of each.
        model_id: the model that decided; None in a screening, where several do.
        at: the time.
    """
    written, changes = [], []
    for row, state in zip(before, after, strict=True):
        decided = state.status in DECIDED
        is_same = (row.status, row.label) == (state.status, state.label)
        if not is_same and (decided or row.status in DECIDED):
            changes.append((row, state))
        since = row.decided_at if is_same else at
        values = {"task": row.id, **state._asdict(), "model_id": model_id, "decided_at": since if decided else None}
        written.append(values)
    connection.execute(_WRITE, written)
    pairs = zip(before, after, strict=True)
    count_moves(connection, (((row.question_id, row.status), (row.question_id, state.status)) for row, state in pairs))
    if changes:
        _insert_history(connection, plan, changes, model_id, at)
        _write_items(connection, plan, changes)
        _announce(connection, plan, changes, at)


def _insert_history(connection: Connection, plan: Plan, changes: Changes, model_id: int | None, at: float) -> None:
    rows = [
        {
            "project_id": plan.id,
            "task_id": row.id,
            "made_at": at,
            "status": state.status,
            "label": state.label,
            "confidence": state.confidence,
            "expected_cost": state.expected_cost,
            "reason": state.reason,
            "n_votes": state.n_votes,
            "model_id": model_id,
        }
        for row, state in changes
    ]
    connection.execute(insert(decisions), rows)


def _write_items(connection: Connection, plan: Plan, changes: Changes) -> None:
    """Write whether all questions about an item are decided, and its label where there is one question."""
    if len(plan.questions) == 1:
        values = [
            {"item": row.item_id, "decided": state.status in DECIDED, "label": state.label} for row, state in changes
        ]
    else:
        values = []
        for item_id in sorted({row.item_id for row, _ in changes}):
            statuses = connection.execute(_OF_ITEM, {"item": item_id}).scalars()
            values.append({"item": item_id, "decided": all(name in DECIDED for name in statuses), "label": None})
    connection.execute(_WRITE_ITEM, values)


def _announce(connection: Connection, plan: Plan, changes: Changes, at: float) -> None:
    for event in (ITEM_DECIDED, ITEM_REOPENED):
        own = [(row, state) for row, state in changes if (state.status in DECIDED) == (event == ITEM_DECIDED)]
        if own and subscribers(connection, plan.id, event):
            keys = dict(connection.execute(_KEYS, {"ids": [row.item_id for row, _ in own]}).all())
            messages = [_message(plan, keys[row.item_id], row, state) for row, state in own]
            announce_all(connection, plan.id, event, messages, at)


def _message(plan: Plan, key: str, row: Record, state: TaskState) -> dict[str, Any]:
    question = plan.questions[row.question_id].question
    return {
        "project": plan.id,
        "item": key,
        "question": question.name,
        "label": None if state.label is None else question.class_names[state.label],
        "status": state.status,
        "confidence": state.confidence,
        "expected_cost": state.expected_cost,
        "reason": state.reason,
    }
