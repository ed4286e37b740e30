"""One question as of one time: its tasks as they are stored, and the votes that count, as arrays."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, bindparam, or_, select

from quorate.data.votes import Votes
from quorate.service.decisions.counted_votes import read_votes_of_question
from quorate.service.decisions.evidence import MACHINE_COST, WISHES, gold_of, split_votes
from quorate.service.decisions.task_state import STATUSES, kinds_of
from quorate.service.projects.plan import QuestionPlan
from quorate.service.store.columns import (
    Converter,
    booleans,
    floats,
    indices_into,
    integers,
    probability_rows,
    read_columns,
)
from quorate.service.store.database import Record
from quorate.service.store.tables import tasks
from quorate.typing import Array, Gold

# What the state of a task rests on, or says: a round writes a task only if none of them changed since it was read.
_COMPARED = (
    "status",
    "label",
    "gold",
    "ask",
    "wanted",
    "n_votes",
    "least_votes",
    "value",
    "posterior",
    "machine",
    "ambiguity",
    "audited",
    "wish",
    "disputed",
)
STORED_COLUMNS = (*(tasks.c[name] for name in _COMPARED), MACHINE_COST)
_TASKS = (
    select(tasks.c.id, tasks.c.item_id, tasks.c.draw, *STORED_COLUMNS)
    .where(tasks.c.question_id == bindparam("question"))
    .where(or_(tasks.c.draw <= bindparam("reach"), tasks.c.n_votes > 0, tasks.c.gold.is_not(None)))
    .order_by(tasks.c.id)
)


@dataclass(frozen=True, eq=False, kw_only=True)
class StoredColumns:
    """Columns of tasks as arrays. Where nothing is stored, integers are -1 and other numbers NaN.

    Attributes:
        status: index into STATUSES.
        label: index of the class.
        gold: the label that was given with the item or by a requester.
        ask: whom the task asks, an index into the prices' kinds, see `kinds_of`.
        wanted: the number of votes that are asked for.
        n_votes: the number of votes that count.
        least_votes: the number of votes that are wanted before anything is decided.
        value: what asking is expected to save.
        posterior: (n_tasks, n_classes).
        machine: (n_tasks, n_classes), output of the classifier.
        ambiguity: rank from 0 to 1.
        audited: whether the task was drawn for an audit.
        wish: what a requester asked for, an index into WISHES.
        disputed: whether the votes of the crowd name more than one class.
        machine_cost: what the classifier was charged for the item.
    """

    status: NDArray[np.int16]
    label: NDArray[np.int64]
    gold: Gold
    ask: NDArray[np.int16]
    wanted: NDArray[np.int64]
    n_votes: NDArray[np.int64]
    least_votes: NDArray[np.int64]
    value: Array
    posterior: NDArray[np.float32]
    machine: NDArray[np.float32]
    ambiguity: Array
    audited: NDArray[np.bool_]
    wish: NDArray[np.int16]
    disputed: NDArray[np.bool_]
    machine_cost: NDArray[np.int64]

    @classmethod
    def of_rows(cls, asked: QuestionPlan, rows: Sequence[Record]) -> "StoredColumns":
        """Return the columns of rows that were read with STORED_COLUMNS."""
        return cls(
            **{name: convert([getattr(row, name) for row in rows]) for name, convert in _converters(asked).items()}
        )

    def is_same(self, other: "StoredColumns", rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which tasks are stored as these `rows` of `other` are, apart from what the classifier was charged."""
        same = np.ones(len(rows), dtype=bool)
        for name in _COMPARED:
            now, before = getattr(self, name), getattr(other, name)[rows]
            equal = (now == before) | ((now != now) & (before != before))  # NaN is equal to NaN
            same &= equal if equal.ndim == 1 else equal.all(axis=1)
        return same


@dataclass(frozen=True, eq=False, kw_only=True)
class Snapshot:
    """The tasks of a question that are in play, have votes or have gold labels, in the order of their ids.

    Attributes:
        ids: ids of the tasks.
        items: ids of their items.
        draw: random number of each task.
        in_play: whether the project has reached the task.
        votes: the counted votes of the crowd and of models.
        gold: labels of requesters and experts, or given with the items; -1 = none.
        n_expert_votes: the number of counted votes of experts.
        stored: the tasks as they are stored.
    """

    ids: NDArray[np.int64]
    items: NDArray[np.int64]
    draw: Array
    in_play: NDArray[np.bool_]
    votes: Votes
    gold: Gold
    n_expert_votes: NDArray[np.int64]
    stored: StoredColumns

    @property
    def by_expert(self) -> NDArray[np.bool_]:
        """Whether an expert has voted."""
        return self.n_expert_votes > 0

    @property
    def charged(self) -> NDArray[np.bool_]:
        """Whether the classifier was charged for the item."""
        return self.stored.machine_cost >= 0

    @property
    def informed(self) -> NDArray[np.bool_]:
        """Whether a task has votes or gold."""
        return (self.votes.votes_per_task > 0) | (self.gold >= 0)

    @property
    def evidence(self) -> int:
        """Number of votes and gold labels."""
        return len(self.votes) + int((self.gold >= 0).sum())


def read_snapshot(connection: Connection, project_id: int, asked: QuestionPlan, reach: float) -> Snapshot:
    """Read one question. Rows are converted as they come in: a million tasks take some hundred megabytes at most.

    reach: tasks with a draw up to this are in play.
    """
    converters = _converters(asked)
    parameters = {"question": asked.id, "reach": reach}
    columns = read_columns(connection, _TASKS, parameters, (integers, integers, floats, *converters.values()))
    ids, items, draw = columns[:3]
    stored = StoredColumns(**dict(zip(converters, columns[3:], strict=True)))
    votes, expert_label, n_expert_votes = _read_votes(connection, project_id, asked, ids)
    return Snapshot(
        ids=ids,
        items=items,
        draw=draw,
        in_play=draw <= reach,
        votes=votes,
        gold=gold_of(stored.gold, expert_label, stored.wish),
        n_expert_votes=n_expert_votes,
        stored=stored,
    )


def _converters(asked: QuestionPlan) -> dict[str, Converter]:
    """Return a converter for each of STORED_COLUMNS."""
    rows = probability_rows(asked.n_classes)
    return {
        "status": indices_into(STATUSES),
        "label": integers,
        "gold": integers,
        "ask": indices_into(kinds_of(asked.policy.prices.kinds)),
        "wanted": integers,
        "n_votes": integers,
        "least_votes": integers,
        "value": floats,
        "posterior": rows,
        "machine": rows,
        "ambiguity": floats,
        "audited": booleans,
        "wish": indices_into(WISHES),
        "disputed": booleans,
        "machine_cost": integers,
    }


def _read_votes(
    connection: Connection, project_id: int, asked: QuestionPlan, ids: NDArray[np.int64]
) -> tuple[Votes, NDArray[np.int64], NDArray[np.int64]]:
    """Return what `split_votes` does, of the tasks with these ids; only voters who have voted are named."""
    counted = read_votes_of_question(connection, project_id, asked.id)
    rows = np.flatnonzero(np.isin(counted.task_id, ids))
    rows = rows[np.argsort(counted.task_id[rows], kind="stable")]
    task, by_expert, voter = np.searchsorted(ids, counted.task_id[rows]), counted.by_expert[rows], counted.voter[rows]
    crowd = ~by_expert
    used, index = np.unique(voter[crowd], return_inverse=True)
    voter[crowd] = index
    voter[by_expert] = -1
    return split_votes(asked, ids.copy(), task, voter, counted.label[rows], counted.codes[used])
