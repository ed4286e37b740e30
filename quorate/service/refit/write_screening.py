"""Writing a round of a screening project: all criteria of an item at once, since one decides on the others."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, bindparam, select

from quorate.data.decisions import ACCEPT, ASK, NOBODY
from quorate.service.decisions.decide import decide_tasks
from quorate.service.decisions.evidence import TASK_COLUMNS, read_evidence
from quorate.service.decisions.screening import (
    criterion_of,
    decide_items,
    rows_of_criterion,
    states_of_criteria,
    write_inclusion,
)
from quorate.service.decisions.task_state import NO_MONEY, TaskState
from quorate.service.decisions.write_states import write_task_states
from quorate.service.projects.plan import require_current
from quorate.service.refit.decide_pool import PoolView
from quorate.service.refit.fit import RoundResult
from quorate.service.refit.write_tasks import PREDICTED, Pace, Written, charge_due, prediction_of, write_predictions
from quorate.service.store.database import Record, Store
from quorate.service.store.tables import tasks

_READ = (
    select(*TASK_COLUMNS, tasks.c.posterior)
    .where(tasks.c.item_id.in_(bindparam("items", expanding=True)))
    .order_by(tasks.c.id)
)
_LOCK = _READ.with_for_update()
NOT_COMPARED = "leased"  # the only column that may change while a chunk is prepared


def write_items(store: Store, results: Sequence[RoundResult], pace: Pace) -> Written:
    """Decide on the items of changed tasks, and write the states of all their tasks."""
    items = np.unique(np.concatenate([result.view.snapshot.items[result.rows] for result in results]))
    due = np.concatenate([result.view.snapshot.items[result.view.due] for result in results])
    row_of = {result.view.asked.id: _rows_by_task(result.view) for result in results}
    view, total, start = results[0].view, Written(), 0
    while start < len(items):
        chunk = items[start : start + max(1, pace.size // len(results))]
        start += len(chunk)
        charge_due(store, view, chunk[np.isin(chunk, due)])
        before, predictions, after = _prepare(store, results, row_of, chunk)
        with pace.chunk(store, len(before)) as connection:
            total += _write(connection, view, chunk, before, predictions, after, store.clock())
    return total


def _rows_by_task(view: PoolView) -> dict[int, int]:
    return {int(task): row for row, task in enumerate(view.snapshot.ids)}


def _prepare(
    store: Store,
    results: Sequence[RoundResult],
    row_of: Mapping[int, Mapping[int, int]],
    items: NDArray[np.int64],
) -> tuple[list[Record], list[dict[str, Any]], dict[int, TaskState]]:
    """Return the rows as they are now, the predictions for them, and their new states; computed without a lock."""
    views, criteria = {result.view.asked.id: result.view for result in results}, []
    with store.read() as connection:
        before = list(connection.execute(_READ, {"items": items.tolist()}))
        predictions = [
            prediction_of(views[row.question_id], row.id, row_of[row.question_id].get(row.id)) for row in before
        ]
        rows: Any = [_with(row, values) for row, values in zip(before, predictions, strict=True)]
        for result in results:
            view = result.view
            own = rows_of_criterion(view.asked, rows)
            evidence = view.without_unpayable(read_evidence(connection, view.asked, own))
            criteria.append(criterion_of(view.asked, own, evidence, result.fitted, experts=view.experts))
    view = results[0].view
    decisions = decide_items(view.plan, criteria)
    is_open = decisions.action == ASK
    if view.no_money:
        nobody = np.where(is_open, NOBODY, decisions.ask).astype(np.int8)
        decisions = replace(decisions, action=np.where(is_open, ACCEPT, decisions.action).astype(np.int8), ask=nobody)
    states = states_of_criteria(view.plan, criteria, decisions, experts=view.experts)
    if view.no_money and view.plan.settings.rest == "undecided":
        for item in np.flatnonzero(is_open).tolist():
            for criterion in criteria:
                task = criterion.rows[item].id
                states[task] = states[task]._replace(status=NO_MONEY, label=None, ask=None, wanted=0)
    return before, predictions, states


def _with(row: Record, values: Mapping[str, Any]) -> SimpleNamespace:
    """Return the row with the predictions that it will have."""
    return SimpleNamespace(**dict(row._mapping) | {name: values[name] for name in PREDICTED})


def _write(
    connection: Connection,
    view: PoolView,
    items: NDArray[np.int64],
    before: Sequence[Record],
    predictions: Sequence[dict[str, Any]],
    after: Mapping[int, TaskState],
    now: float,
) -> Written:
    """Write a chunk. Items that have changed since it was prepared are decided again."""
    require_current(connection, view.plan)
    rows = {row.id: row for row in connection.execute(_LOCK, {"items": items.tolist()})}
    changed = {row.item_id for row in before if not _is_same(row, rows[row.id])}
    write_predictions(connection, rows, predictions)
    kept = [row for row in before if row.item_id not in changed]
    if kept:
        states = [after[row.id] for row in kept]
        write_task_states(connection, view.plan, kept, states, None, now)
        write_inclusion(connection, view.plan, kept, states)
    redone = [row.id for row in before if row.item_id in changed]
    if redone:
        decide_tasks(connection, view.plan, redone, now)
    return Written(len(kept), len(redone))


def _is_same(before: Record, now: Record) -> bool:
    """Return whether nothing happened to a task that its state rests on.

    A vote changes n_votes, and one that is amended the posterior.
    """
    return all(value == now._mapping[name] for name, value in before._mapping.items() if name != NOT_COMPARED)
