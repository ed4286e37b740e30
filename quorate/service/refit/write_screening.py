"""Writing down a round of a screening project: all criteria of an item at once, since one decides on the others."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, bindparam, select

from quorate.data.decisions import ACCEPT, ASK, NOBODY
from quorate.service.decisions.decide import decide_tasks, write_task_states
from quorate.service.decisions.evidence import TASK_COLUMNS, evidence_on
from quorate.service.decisions.model_versions import ModelVersion
from quorate.service.decisions.screening import criterion_of, decided, stands, write_inclusion
from quorate.service.decisions.task_state import NO_MONEY, TaskState
from quorate.service.projects.plan import require_current
from quorate.service.refit.decide_pool import PoolView
from quorate.service.refit.write_tasks import Pace, Written, charge_due, stored, unchanged, write_said
from quorate.service.store.database import Record, Store
from quorate.service.store.tables import tasks

_READ = (
    select(*TASK_COLUMNS, tasks.c.posterior)
    .where(tasks.c.item_id.in_(bindparam("items", expanding=True)))
    .order_by(tasks.c.id)
)
_LOCKED = _READ.with_for_update()
Part = tuple[
    PoolView, ModelVersion, NDArray[np.int64]
]  # a question, its model, and the places of its tasks that have changed


def write_items_of(store: Store, parts: Sequence[Part], pace: Pace) -> Written:
    """Write down how the items of changed tasks stand."""
    items = np.unique(np.concatenate([view.snapshot.items[rows] for view, _, rows in parts]))
    due = np.concatenate([view.snapshot.items[view.due] for view, _, _ in parts])
    known = {view.asked.id: _places(view) for view, _, _ in parts}
    views = {view.asked.id: (view, fitted) for view, fitted, _ in parts}
    total, place = Written(), 0
    while place < len(items):
        chunk = items[place : place + max(1, pace.size // len(parts))]
        place += len(chunk)
        charge_due(store, parts[0][0], chunk[np.isin(chunk, due)])
        before, said, after = _prepared(store, views, known, chunk)
        with pace.chunk(store, len(before)) as connection:
            total += _write(connection, parts[0][0], chunk, before, said, after, store.clock())
    return total


def _places(view: PoolView) -> dict[int, int]:
    return {int(task): place for place, task in enumerate(view.snapshot.ids)}


def _prepared(
    store: Store,
    views: Mapping[int, tuple[PoolView, ModelVersion]],
    known: Mapping[int, Mapping[int, int]],
    items: NDArray[np.int64],
) -> tuple[list[Record], list[dict[str, Any]], dict[int, TaskState]]:
    """The rows as they are now, what the classifiers say of them, and how they should stand: worked out unlocked."""
    with store.read() as connection:
        before = list(connection.execute(_READ, {"items": items.tolist()}))
        said = [stored(views[row.question_id][0], row.id, known[row.question_id].get(row.id)) for row in before]
        rows = [
            SimpleNamespace(**dict(row._mapping) | {name: one[name] for name in ("machine", "ambiguity")})
            for row, one in zip(before, said, strict=True)
        ]
        criteria = []
        for view, fitted in views.values():
            own: Any = sorted((row for row in rows if row.question_id == view.asked.id), key=lambda row: row.item_id)
            for row in own:
                vars(row).update(view.given_up)
            criteria.append(criterion_of(view.asked, evidence_on(connection, own), fitted, experts=view.experts))
    view = next(iter(views.values()))[0]
    made = decided(view.plan, criteria)
    open_items = made.action == ASK
    if view.no_money:
        nobody = np.where(open_items, NOBODY, made.ask).astype(np.int8)
        made = replace(made, action=np.where(open_items, ACCEPT, made.action).astype(np.int8), ask=nobody)
    found = stands(view.plan, criteria, made, experts=view.experts)
    if view.no_money and view.plan.settings.rest == "undecided":
        for place in np.flatnonzero(open_items).tolist():
            for one in criteria:
                task = one.evidence.tasks[place].id
                found[task] = found[task]._replace(status=NO_MONEY, label=None, ask=None, wanted=0)
    return before, said, found


def _write(
    connection: Connection,
    view: PoolView,
    items: NDArray[np.int64],
    before: Sequence[Record],
    said: Sequence[dict[str, Any]],
    after: Mapping[int, TaskState],
    now: float,
) -> Written:
    require_current(connection, view.plan)
    there = {row.id: row for row in connection.execute(_LOCKED, {"items": items.tolist()})}
    touched = {row.item_id for row in before if not unchanged(row, there[row.id])}
    write_said(connection, there, said)
    kept = [row for row in before if row.item_id not in touched]
    if kept:
        write_task_states(connection, view.plan, kept, [after[row.id] for row in kept], None, now)
        write_inclusion(connection, view.plan, kept, [after[row.id] for row in kept])
    redone = [row.id for row in before if row.item_id in touched]
    if redone:
        decide_tasks(connection, view.plan, redone, now)
    return Written(len(kept), len(redone))
