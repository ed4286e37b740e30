"""Writing down what a round has found: in small chunks, each row only if nothing happened to it since it was read."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, bindparam, select, update

from quorate.service.decisions.classifier_charges import charge
from quorate.service.decisions.decide import decide_tasks, lock_items, write_task_states
from quorate.service.decisions.evidence import TASK_COLUMNS, evidence_on, pool_of
from quorate.service.decisions.model_versions import ModelVersion
from quorate.service.decisions.task_state import TaskState, task_states
from quorate.service.projects.plan import require_current
from quorate.service.refit.decide_pool import PoolView
from quorate.service.store.blobs import to_blob
from quorate.service.store.database import Record, Store
from quorate.service.store.tables import tasks

AIM = 0.005  # seconds of work in a chunk: with its commit, it must hold the write lock for less than .05
FEWEST, MOST = 10, 1_000  # rows of a chunk
REST = 4.0  # times as long as a chunk took, others may write

_READ = (
    select(*TASK_COLUMNS, tasks.c.posterior)
    .where(tasks.c.id.in_(bindparam("ids", expanding=True)))
    .order_by(tasks.c.id)
)
_LOCKED = _READ.with_for_update()
_SAID = update(tasks).where(tasks.c.id == bindparam("task"))
UNIMPORTANT = "leased"  # what may change meanwhile: room follows by itself


@dataclass
class Pace:
    """How many rows are written at a time, so that nobody waits long; learnt as it goes."""

    size: int = 50
    pause: Callable[[float], None] = time.sleep
    longest: float = 0.0  # seconds that a chunk held the lock

    def took(self, worked: float, held: float, rows: int) -> None:
        """Note how long a chunk worked, and held the lock with its commit; then let others write.

        A commit takes as long for few rows as for many: smaller chunks would only make more of them.
        """
        self.longest = max(self.longest, held)
        wanted = int(rows * AIM / max(worked, 1e-6))
        self.size = int(np.clip(wanted, FEWEST, min(MOST, 2 * self.size)))
        self.pause(REST * held)

    @contextmanager
    def chunk(self, store: Store, rows: int) -> Iterator[Connection]:
        """A transaction that writes so many rows."""
        with store.write() as connection:
            began = time.monotonic()
            yield connection
            worked = time.monotonic() - began
        self.took(worked, time.monotonic() - began, rows)


@dataclass(frozen=True)
class Written:
    """How many tasks were written, and how many were decided on anew because something had happened to them."""

    rows: int = 0
    redone: int = 0

    def __add__(self, other: "Written") -> "Written":
        return Written(self.rows + other.rows, self.redone + other.redone)


def write_view(store: Store, view: PoolView, fitted: ModelVersion, rows: NDArray[np.int64], pace: Pace) -> Written:
    """Write down how some tasks of a question stand. rows: places in the snapshot."""
    total, place = Written(), 0
    while place < len(rows):
        part = rows[place : place + pace.size]
        place += len(part)
        charge_due(store, view, view.snapshot.items[part[view.due[part]]])
        before, said, after = _prepared(store, view, fitted, part)
        if not before:
            continue
        with pace.chunk(store, len(part)) as connection:
            total += _write(connection, view, fitted, before, said, after, store.clock())
    return total


def charge_due(store: Store, view: PoolView, item_ids: NDArray[np.int64]) -> None:
    """Charge the classifier for items that are about to be decided on with its help, as far as the budget allows.

    This has a transaction of its own, which waits for no task: should the round break off, the next one finds the items
    charged, and decides on them.
    """
    if len(item_ids):
        with store.write() as connection:
            charge(connection, view.plan, item_ids.tolist(), store.clock())


def write_told(store: Store, view: PoolView, rows: NDArray[np.int64], pace: Pace) -> None:
    """Keep what the classifier says of tasks that are not decided on yet, so that it need not be asked again."""
    place = 0
    while place < len(rows):
        part = rows[place : place + pace.size]
        place += len(part)
        said = [stored(view, int(view.snapshot.ids[row]), int(row)) for row in part]
        with pace.chunk(store, len(part)) as connection:
            connection.execute(_SAID, said)


def _prepared(
    store: Store, view: PoolView, fitted: ModelVersion, part: NDArray[np.int64]
) -> tuple[list[Record], list[dict[str, Any]], list[TaskState]]:
    """The rows as they are now, what the classifier says of them, and how they should stand: worked out unlocked."""
    place = {int(view.snapshot.ids[row]): int(row) for row in part}
    with store.read() as connection:
        before = list(connection.execute(_READ, {"ids": list(place)}))
        said = [stored(view, row.id, place[row.id]) for row in before]
        known = [_with(row, values, view) for row, values in zip(before, said, strict=True)]
        evidence = evidence_on(connection, known)
    pool = pool_of(view.asked, evidence, fitted, experts=view.experts)
    return before, said, task_states(view.plan, evidence, view.decisions(pool), experts=view.experts)


def stored(view: PoolView, task: int, place: int | None) -> dict[str, Any]:
    """What is stored of a task beside its standing: what the classifier says, and how ambiguous it is.

    place: in the snapshot; None of a task that has come in since.
    """
    if place is None:
        return {"task": task, "machine": None, "ambiguity": None}
    said, rank = view.predicted[place], view.ambiguity[place]
    return {
        "task": task,
        "machine": None if view.machine is None or np.isnan(said).any() else to_blob(said),
        "ambiguity": None if np.isnan(rank) else float(rank),
    }


def _with(row: Record, said: dict[str, Any], view: PoolView) -> Any:
    """The row as it will be."""
    values = dict(row._mapping) | {name: said[name] for name in ("machine", "ambiguity")}
    return SimpleNamespace(**values | view.given_up)


def _write(
    connection: Connection,
    view: PoolView,
    fitted: ModelVersion,
    before: Sequence[Record],
    said: Sequence[dict[str, Any]],
    after: Sequence[TaskState],
    now: float,
) -> Written:
    require_current(connection, view.plan)
    there = {row.id: row for row in connection.execute(_LOCKED, {"ids": [row.id for row in before]})}
    lock_items(connection, view.plan, before)
    same = [unchanged(row, there[row.id]) for row in before]
    write_said(connection, there, said)
    kept = [(row, stand) for row, stand, ok in zip(before, after, same, strict=True) if ok]
    if kept:
        write_task_states(connection, view.plan, [row for row, _ in kept], [one for _, one in kept], fitted.id, now)
    redone = [row.id for row, ok in zip(before, same, strict=True) if not ok]
    if redone:
        decide_tasks(connection, view.plan, redone, now)
    return Written(len(kept), len(redone))


def write_said(connection: Connection, there: Mapping[int, Record], said: Sequence[dict[str, Any]]) -> None:
    """Write what the classifier says of tasks and how ambiguous they are, where that is not what is there."""
    names = ("machine", "ambiguity")
    new = [one for one in said if any(one[name] != there[one["task"]]._mapping[name] for name in names)]
    if new:
        connection.execute(_SAID, new)


def unchanged(before: Record, now: Record) -> bool:
    """Whether nothing happened to a task that its standing rests on.

    A vote changes n_votes, and one that is amended what is believed.
    """
    return all(value == now._mapping[name] for name, value in before._mapping.items() if name != UNIMPORTANT)
