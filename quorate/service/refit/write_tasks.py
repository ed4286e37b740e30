"""Writing the results of a round: in small chunks, and a task only if nothing happened to it since it was read."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, bindparam, select, update

from quorate.service.decisions.classifier_charges import charge
from quorate.service.decisions.evidence import lock_tasks, read_evidence
from quorate.service.decisions.task_state import TaskState
from quorate.service.decisions.write_states import lock_items, write_task_states
from quorate.service.projects.plan import require_current
from quorate.service.refit.decide_pool import PoolView
from quorate.service.refit.fit import RoundResult
from quorate.service.refit.snapshot import STORED_COLUMNS, StoredColumns
from quorate.service.store.blobs import to_blob
from quorate.service.store.database import Record, Store
from quorate.service.store.tables import tasks

WORK_SECONDS = 0.005  # in a chunk: with its commit, it must hold the write lock for less than .05
MIN_ROWS, MAX_ROWS = 10, 1_000  # of a chunk
PAUSE_FACTOR = 4.0  # others may write for this many times as long as a chunk took

_LOCK = (
    select(tasks.c.id, tasks.c.item_id, tasks.c.question_id, tasks.c.decided_at, *STORED_COLUMNS)
    .where(tasks.c.id.in_(bindparam("ids", expanding=True)))
    .order_by(tasks.c.id)
    .with_for_update()
)
_WRITE_PREDICTIONS = update(tasks).where(tasks.c.id == bindparam("task"))
PREDICTED = ("machine", "ambiguity")  # columns


@dataclass
class Pace:
    """The number of rows that are written at a time, so that nobody waits long; it adapts to the time they take.

    Attributes:
        size: rows of the next chunk.
        pause: waits for this many seconds.
        longest: the most seconds that a chunk has held the lock.
    """

    size: int = 50
    pause: Callable[[float], None] = time.sleep
    longest: float = 0.0

    def adapt(self, worked: float, held: float, rows: int) -> None:
        """Adapt to the seconds that a chunk worked, and held the lock with its commit; then let others write.

        A commit takes as long for few rows as for many: smaller chunks would only make more of them.
        """
        self.longest = max(self.longest, held)
        wanted = int(rows * WORK_SECONDS / max(worked, 1e-6))
        self.size = int(np.clip(wanted, MIN_ROWS, min(MAX_ROWS, 2 * self.size)))
        self.pause(PAUSE_FACTOR * held)

    @contextmanager
    def chunk(self, store: Store, rows: int) -> Iterator[Connection]:
        """Open a transaction that writes this number of rows."""
        with store.write() as connection:
            began = time.monotonic()
            yield connection
            worked = time.monotonic() - began
        self.adapt(worked, time.monotonic() - began, rows)


@dataclass(frozen=True)
class Written:
    """The number of tasks that were written, and of those decided again because something had happened to them."""

    rows: int = 0
    redone: int = 0

    def __add__(self, other: "Written") -> "Written":
        return Written(self.rows + other.rows, self.redone + other.redone)


def write_states(store: Store, result: RoundResult, pace: Pace) -> Written:
    """Write the states that a round has decided on for the tasks of one question."""
    view, total, start = result.view, Written(), 0
    while start < len(result.rows):
        part = slice(start, start + pace.size)
        rows = result.rows[part]
        start += len(rows)
        charge_due(store, view, view.snapshot.items[rows[view.due[rows]]])
        states = [] if result.states is None else result.states.take(part).to_rows()
        with pace.chunk(store, len(rows)) as connection:
            total += _write(connection, view, result.fitted.id, rows, states, store.clock())
    return total


def charge_due(store: Store, view: PoolView, item_ids: NDArray[np.int64]) -> None:
    """Charge the classifier for items that are decided with its help, as far as the budget allows.

    This has a transaction of its own, which waits for no task: should the round break off, the next one finds the items
    charged, and decides on them.
    """
    if len(item_ids):
        with store.write() as connection:
            charge(connection, view.plan, item_ids.tolist(), store.clock())


def write_predictions_of_waiting(store: Store, result: RoundResult, pace: Pace) -> None:
    """Write the predictions of tasks that are not decided on yet, so that the classifier need not be asked again."""
    view, start = result.view, 0
    while start < len(result.predicted_rows):
        rows = result.predicted_rows[start : start + pace.size]
        start += len(rows)
        predictions = [prediction_of(view, int(view.snapshot.ids[row]), int(row)) for row in rows]
        with pace.chunk(store, len(rows)) as connection:
            connection.execute(_WRITE_PREDICTIONS, predictions)


def prediction_of(view: PoolView, task: int, row: int | None) -> dict[str, Any]:
    """Return what a round writes of a task besides its state: the output of the classifier, and its ambiguity.

    row: its index in the snapshot; None = the task was added since.
    """
    if row is None:
        return {"task": task, "machine": None, "ambiguity": None}
    probs, rank = view.predicted[row], view.ambiguity[row]
    return {
        "task": task,
        "machine": None if view.machine is None or np.isnan(probs).any() else to_blob(probs),
        "ambiguity": None if np.isnan(rank) else float(rank),
    }


def _write(
    connection: Connection,
    view: PoolView,
    model_id: int,
    rows: NDArray[np.int64],
    states: Sequence[TaskState],
    now: float,
) -> Written:
    """Write a chunk. Tasks that are not as the round has read them are decided again, from what is there now."""
    require_current(connection, view.plan)
    before = connection.execute(_LOCK, {"ids": view.snapshot.ids[rows].tolist()}).all()
    lock_items(connection, view.plan, before)
    same = _is_same(view, rows, before)
    predictions = [prediction_of(view, row.id, int(number)) for row, number in zip(before, rows, strict=True)]
    write_predictions(connection, {row.id: row for row in before}, predictions)
    kept = [number for number, is_same in enumerate(same) if is_same]
    if kept:
        own, after = [before[number] for number in kept], [states[number] for number in kept]
        write_task_states(connection, view.plan, own, after, model_id, now)
    changed = [row.id for row, is_same in zip(before, same, strict=True) if not is_same]
    if changed:
        locked = lock_tasks(connection, changed)
        evidence = view.without_unpayable(read_evidence(connection, view.asked, locked))
        redone = view.states(evidence, view.decide(evidence)).to_rows()
        write_task_states(connection, view.plan, locked, redone, model_id, now)
    return Written(len(kept), len(changed))


def _is_same(view: PoolView, rows: NDArray[np.int64], now: Sequence[Record]) -> list[bool]:
    """Return whether nothing happened that the new state of a task rests on.

    A vote changes n_votes, and one that is amended the posterior or `disputed`. A due charge may have failed.
    """
    stored = StoredColumns.of_rows(view.asked, now)
    same = stored.is_same(view.snapshot.stored, rows)
    if view.asked.machine_cost:
        same &= (stored.machine_cost >= 0) == (view.snapshot.charged | view.due)[rows]
    return [bool(is_same) for is_same in same]


def write_predictions(
    connection: Connection, before: Mapping[int, Record], predictions: Sequence[dict[str, Any]]
) -> None:
    """Write the predictions and the ambiguity of tasks where they differ from what is stored. before: rows by id."""
    new = [
        values
        for values in predictions
        if any(values[name] != before[values["task"]]._mapping[name] for name in PREDICTED)
    ]
    if new:
        connection.execute(_WRITE_PREDICTIONS, new)
