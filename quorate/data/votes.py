"""Votes of workers on tasks: the input of every method of Quorate."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, Self

import numpy as np
from narwhals.typing import IntoDataFrame
from numpy.typing import ArrayLike, NDArray

from quorate.data.columns import (
    Duplicates,
    Grouped,
    cells_of,
    check_indices,
    concatenate,
    first_repeat,
    group,
    indices_of,
    require_distinct,
    union,
    unknown_name_error,
    without_repeats,
)
from quorate.data.frames import FrameKind, as_frame, frame_kind, make_frame, read_gold_labels, read_vote_columns
from quorate.data.html_tables import MAX_ROWS, html_table, note_hidden
from quorate.data.ids import Indices, Names, as_names, first_row, freeze, lookup, numbered, shown, sort_classes
from quorate.errors import VotesError

PART = 1 << 21  # votes counted at a time


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Votes:
    """Votes of workers on tasks: three index arrays, one entry per vote, and the names behind them.

    Tasks without votes are allowed; a named worker votes on a task at most once.

    Attributes:
        task: index into `tasks` of each vote.
        worker: index into `workers` of each vote; -1 is an anonymous worker.
        label: index into `classes` of each vote.
        tasks: names of the tasks.
        workers: names of the workers.
        classes: names of the classes.
        seconds: time spent on each vote.
        time: when each vote was given, in seconds since 1970.
        frame_kind: the kind of frame that results come back in: "polars", "pandas" or "pyarrow".

    >>> votes = Votes.from_arrays([0, 0, 1], [0, 1, 0], [1, 1, 0], n_classes=2)
    >>> votes
    Votes(3 votes, 2 tasks, 2 workers, 2 classes)
    >>> votes.counts().tolist()
    [[0, 2], [1, 0]]
    """

    task: Indices
    worker: Indices
    label: Indices
    tasks: Names
    workers: Names
    classes: Names
    seconds: NDArray[np.float32] | None = None
    time: NDArray[np.float64] | None = None
    frame_kind: FrameKind = "polars"

    def __post_init__(self) -> None:
        for kind in ("tasks", "workers", "classes"):
            names: Names = getattr(self, kind)
            # Read-only names come from an encoded column or from other votes, so they are distinct already.
            checked = isinstance(names, np.ndarray) and not names.flags.writeable
            self._freeze(kind, as_names(names) if checked else require_distinct(as_names(names), kind))
        if self.n_classes < 2:
            raise VotesError(
                f"votes need at least two classes, got {self.classes.tolist()}: list all, classes=[...] (--classes)"
            )
        self._freeze("task", check_indices(self.task, self.n_tasks, "task"))
        self._freeze("worker", check_indices(self.worker, self.n_workers, "worker", lowest=-1))
        self._freeze("label", check_indices(self.label, self.n_classes, "label"))
        self._freeze("seconds", None if self.seconds is None else np.array(self.seconds, dtype=np.float32))
        self._freeze("time", None if self.time is None else np.array(self.time, dtype=np.float64))
        for name, lowest in (("seconds", 0.0), ("time", -np.inf)):
            values = getattr(self, name)
            if values is not None and (odd := (values < lowest) | np.isinf(values)).any():
                raise VotesError(f"{name} must be zero or more and finite, got {values[odd][0]} (row {first_row(odd)})")
        for name in ("worker", "label", "seconds", "time"):
            column = getattr(self, name)
            if column is not None and len(column) != len(self):
                raise VotesError(f"{name} has {len(column)} entries, but task has {len(self)}: give one per vote")
        self._refuse_repeats()

    # --- constructors

    @classmethod
    def from_frame(
        cls,
        frame: IntoDataFrame,
        *,
        task: str = "task",
        worker: str | None = "worker",
        label: str = "label",
        seconds: str = "seconds",
        time: str = "time",
        tasks: ArrayLike | None = None,
        classes: ArrayLike | None = None,
        duplicates: Duplicates = "error",
    ) -> Self:
        """Return votes from a pandas, polars or pyarrow frame with one row per vote.

        Args:
            frame: the frame.
            task: the column of tasks.
            worker: the column of workers; None: all votes are anonymous, as is any vote without a worker.
            label: the column of labels.
            seconds: the column of the time spent on a vote; used if it exists.
            time: the column of when a vote was given; used if it exists.
            tasks: names of all tasks, if some have no vote; by default those that occur.
            classes: names of all classes; by default those that occur, sorted.
            duplicates: which of several votes of a worker on a task to keep: "first", "last", or neither, "error".

        >>> import polars as pl
        >>> Votes.from_frame(pl.DataFrame({"task": ["a", "a"], "worker": ["x", "y"], "label": ["no", "yes"]}))
        Votes(2 votes, 1 tasks, 2 workers, 2 classes)
        """
        data = as_frame(frame)
        kind = frame_kind(data)
        columns, names = read_vote_columns(
            data, task=task, worker=worker, label=label, seconds=seconds, time=time, tasks=tasks, classes=classes
        )
        del frame, data  # with ten million votes half of the memory, which is freed here if nothing else refers to it
        return cls(**without_repeats(columns, duplicates), **names, frame_kind=kind)

    @classmethod
    def from_arrays(
        cls,
        task: ArrayLike,
        worker: ArrayLike,
        label: ArrayLike,
        *,
        n_classes: int,
        n_tasks: int | None = None,
        n_workers: int | None = None,
    ) -> Self:
        """Return votes from three index arrays; the names are the indices themselves.

        Args:
            task: the task of each vote.
            worker: the worker of each vote, -1 = anonymous.
            label: the class of each vote.
            n_classes: the number of classes.
            n_tasks: the number of tasks; by default the largest index plus one.
            n_workers: the number of workers; by default the largest index plus one.

        >>> Votes.from_arrays([0, 2], [0, -1], [1, 0], n_classes=3, n_tasks=4)
        Votes(2 votes, 4 tasks, 1 workers, 3 classes)
        """
        task, worker, label = np.asarray(task), np.asarray(worker), np.asarray(label)
        return cls(
            task=task,
            worker=worker,
            label=label,
            tasks=numbered(task.max(initial=-1) + 1 if n_tasks is None else n_tasks),
            workers=numbered(worker.max(initial=-1) + 1 if n_workers is None else n_workers),
            classes=numbered(n_classes),
        )

    @classmethod
    def from_matrix(cls, matrix: Any, *, classes: ArrayLike | None = None) -> Self:
        """Return votes from a matrix of tasks x workers; NaN, None, a masked cell or -1 means no vote.

        >>> Votes.from_matrix([[0, 1, -1], [1, 1, 0]]).counts().tolist()
        [[1, 1], [1, 2]]
        """
        cells = cells_of(matrix)
        task, worker = np.nonzero(cells != np.array(None))
        label_names = as_names(cells[task, worker].tolist())
        names = sort_classes(np.unique(label_names)) if classes is None else as_names(classes)
        label = lookup(label_names, names)
        if np.any(label < 0):
            raise unknown_name_error(label_names, names, label < 0, "label")
        return cls(
            task=task,
            worker=worker,
            label=label,
            tasks=numbered(cells.shape[0]),
            workers=numbered(cells.shape[1]),
            classes=names,
        )

    @classmethod
    def from_counts(cls, counts: ArrayLike, *, classes: ArrayLike | None = None, seed: int = 0) -> Self:
        """Return anonymous votes from a table of vote counts.

        Args:
            counts: number of votes for each class, (n_tasks, n_classes).
            classes: names of the classes; default: 0, 1, ...
            seed: draws the order of the votes of a task.

        >>> Votes.from_counts([[2, 1], [0, 3]])
        Votes(6 votes, 2 tasks, 0 workers, 2 classes)
        """
        table = np.asarray(counts)
        if table.ndim != 2 or np.any(table < 0) or np.any(table != np.floor(table)):
            raise VotesError("counts must be a table of tasks x classes with whole numbers of votes, none negative")
        task, label = (np.repeat(index.ravel(), table.ravel().astype(np.int64)) for index in np.indices(table.shape))
        shuffled = np.random.default_rng(seed).permutation(len(task))
        order = shuffled[np.argsort(task[shuffled], kind="stable")]
        return cls(
            task=task[order],
            worker=np.full(len(order), -1),
            label=label[order],
            tasks=numbered(table.shape[0]),
            workers=numbered(0),
            classes=numbered(table.shape[1]) if classes is None else as_names(classes),
        )

    # --- sizes and views

    def __len__(self) -> int:
        return len(self.task)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._summary()})"

    def _repr_html_(self) -> str:
        columns = self._columns(slice(MAX_ROWS))
        if "time" in columns:
            columns["time"] = columns["time"].astype("datetime64[s]").astype(str)
        return html_table("Votes", self._summary(), columns, note_hidden(votes=len(self) - MAX_ROWS))

    def _summary(self) -> str:
        return f"{len(self)} votes, {self.n_tasks} tasks, {self.n_workers} workers, {self.n_classes} classes"

    @property
    def n_tasks(self) -> int:
        """Number of tasks, those without votes included."""
        return len(self.tasks)

    @property
    def n_workers(self) -> int:
        """Number of named workers."""
        return len(self.workers)

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.classes)

    @property
    def voter(self) -> NDArray[np.int64]:
        """Row of each vote in a model of workers: that of the worker, or the last, n_workers, for an anonymous vote."""
        worker = self.worker.astype(np.int64)
        worker[worker < 0] = self.n_workers
        return worker

    @property
    def cell(self) -> NDArray[np.int64]:
        """Index of each vote in a flattened table of tasks x classes."""
        return self.task.astype(np.int64) * self.n_classes + self.label

    @cached_property
    def votes_per_task(self) -> NDArray[np.int64]:
        """Number of votes on each task: (n_tasks,)."""
        return freeze(np.diff(self.by_task.start))

    @cached_property
    def votes_per_voter(self) -> NDArray[np.int64]:
        """Number of votes of each worker, and of all anonymous workers together at the end: (n_workers + 1,)."""
        total = np.zeros(self.n_workers + 1, dtype=np.int64)
        for begin in range(0, len(self), PART):
            anonymous_first = self.worker[begin : begin + PART].astype(np.int64) + 1
            total += np.bincount(anonymous_first, minlength=self.n_workers + 1)
        return freeze(np.roll(total, -1))

    @property
    def votes_per_worker(self) -> NDArray[np.int64]:
        """Number of votes of each named worker: (n_workers,)."""
        return self.votes_per_voter[:-1]

    @cached_property
    def by_task(self) -> Grouped:
        """Rows of the votes, grouped by task: n_tasks groups."""
        return group(self.task, self.n_tasks)

    @cached_property
    def by_worker(self) -> Grouped:
        """Rows of the votes, grouped by worker: n_workers groups, and one of the anonymous votes at the end."""
        return group(self.voter, self.n_workers + 1)

    def counts(self) -> NDArray[np.int64]:
        """Return the number of votes for each class on each task: (n_tasks, n_classes)."""
        total = np.zeros(self.n_tasks * self.n_classes, dtype=np.int64)
        for begin in range(0, len(self), PART):  # the cells of all votes would take more memory than the votes
            block = slice(begin, begin + PART)
            cell = self.task[block].astype(np.int64) * self.n_classes + self.label[block]
            first = cell.min()
            counts = np.bincount(cell - first)
            total[first : first + len(counts)] += counts
        return total.reshape(self.n_tasks, self.n_classes)

    # --- subsets and unions

    def subset(
        self, *, tasks: ArrayLike | None = None, workers: ArrayLike | None = None, rows: ArrayLike | None = None
    ) -> Self:
        """Return some of the votes. Each argument is a mask or a list of indices; tasks and workers are renumbered.

        Args:
            tasks: keep only these tasks, in this order.
            workers: keep only these workers, in this order.
            rows: keep only these votes.

        >>> votes = Votes.from_arrays([0, 0, 1], [0, 1, 0], [1, 1, 0], n_classes=2)
        >>> votes.subset(tasks=[1]), votes.subset(rows=votes.label == 1)
        (Votes(1 votes, 1 tasks, 2 workers, 2 classes), Votes(2 votes, 2 tasks, 2 workers, 2 classes))
        """
        part = self if rows is None else self._rows(indices_of(rows, len(self)))
        if tasks is not None:
            part = part._only("task", indices_of(tasks, self.n_tasks))
        if workers is not None:
            part = part._only("worker", indices_of(workers, self.n_workers))
        return part

    def merge(self, other: "Votes", *, duplicates: Duplicates = "error") -> Self:
        """Return these votes followed by the other's. Names are matched; new names are appended.

        >>> votes = Votes.from_arrays([0], [0], [1], n_classes=2)
        >>> votes.merge(Votes.from_arrays([1], [1], [0], n_classes=2))
        Votes(2 votes, 2 tasks, 2 workers, 2 classes)
        """
        tasks, task = union(self.tasks, other.tasks)
        workers, worker = union(self.workers, other.workers)
        classes, label = union(self.classes, other.classes)
        columns = {
            "task": np.concatenate([self.task, task[other.task]]),
            # An index of -1 stays -1: one more entry at the end of the map catches it.
            "worker": np.concatenate([self.worker, np.append(worker, -1)[other.worker]]),
            "label": np.concatenate([self.label, label[other.label]]),
            "seconds": concatenate(self.seconds, other.seconds, len(self), len(other)),
            "time": concatenate(self.time, other.time, len(self), len(other)),
        }
        kept = without_repeats(columns, duplicates)
        return replace(self, **kept, tasks=tasks, workers=workers, classes=classes)

    def split(self, share: float, *, seed: int = 0, by: Literal["vote", "task"] = "vote") -> tuple[Self, Self]:
        """Split at random and return (the rest, this share of the votes or tasks).

        Args:
            share: the share of the second part, from 0 to 1.
            seed: of the random draw.
            by: "vote" splits the votes, and both parts keep all tasks; "task" splits the tasks.

        >>> rest, held_out = Votes.from_counts([[5, 5]]).split(0.2)
        >>> len(rest), len(held_out)
        (8, 2)
        """
        if not 0 <= share <= 1:
            raise VotesError(f"share must be from 0 to 1, got {share}")
        if by not in ("vote", "task"):
            raise VotesError(f'by must be "vote" or "task", got {by!r}')
        size = len(self) if by == "vote" else self.n_tasks
        chosen = np.zeros(size, dtype=bool)
        chosen[np.random.default_rng(seed).permutation(size)[: round(share * size)]] = True
        if by == "vote":
            return self.subset(rows=~chosen), self.subset(rows=chosen)
        return self.subset(tasks=~chosen), self.subset(tasks=chosen)

    def gold(self, frame: IntoDataFrame, *, task: str = "task", label: str = "label") -> NDArray[np.int64]:
        """Return the gold labels of a frame as one class index per task, -1 = none; unknown tasks are ignored.

        Args:
            frame: a pandas, polars or pyarrow frame with a row per gold label.
            task: name of the column of tasks.
            label: name of the column of labels.

        >>> import polars as pl
        >>> votes = Votes.from_arrays([0, 1], [0, 0], [1, 0], n_classes=2)
        >>> votes.gold(pl.DataFrame({"task": [1], "label": [1]})).tolist()
        [-1, 1]
        """
        return read_gold_labels(as_frame(frame), task=task, label=label, tasks=self.tasks, classes=self.classes)

    def to_frame(self) -> Any:
        """Return a frame with one row per vote: task, worker, label, and seconds and time if the votes have them.

        It is of the kind that the votes came from. The worker of an anonymous vote is missing. Tasks and classes
        without votes do not appear: pass them to `from_frame` to get the same votes again.

        >>> votes = Votes.from_arrays([0, 2], [0, -1], [1, 0], n_classes=2)
        >>> votes.to_frame().rows()
        [(0, 0, 1), (2, None, 0)]
        """
        return make_frame(self._columns(slice(None)), self.frame_kind)

    def _columns(self, rows: slice) -> dict[str, NDArray[Any]]:
        worker = self.worker[rows]
        workers = self.workers
        if np.any(worker < 0):
            workers = np.append(workers.astype(object), [None])  # index -1 takes the last
        columns = {
            "task": self.tasks[self.task[rows]],
            "worker": workers[worker],
            "label": self.classes[self.label[rows]],
        }
        times = {"seconds": self.seconds, "time": self.time}
        return columns | {name: values[rows] for name, values in times.items() if values is not None}

    def _rows(self, rows: NDArray[np.int64]) -> Self:
        return replace(
            self,
            task=self.task[rows],
            worker=self.worker[rows],
            label=self.label[rows],
            seconds=None if self.seconds is None else self.seconds[rows],
            time=None if self.time is None else self.time[rows],
        )

    def _only(self, kind: Literal["task", "worker"], wanted: NDArray[np.int64]) -> Self:
        names: Names = getattr(self, kind + "s")
        new_index = np.full(len(names) + 1, -1, dtype=np.int64)  # index -1, an anonymous worker, takes the last entry
        new_index[wanted] = np.arange(len(wanted))
        part = self._rows(np.flatnonzero(new_index[getattr(self, kind)] >= 0))
        return replace(part, **{kind: new_index[getattr(part, kind)], kind + "s": freeze(names[wanted])})

    def _freeze(self, name: str, array: NDArray[Any] | None) -> None:
        if array is not None:
            if array is getattr(self, name) and array.flags.writeable:
                array = array.copy()  # the caller's array stays writable
            array = freeze(array)
        object.__setattr__(self, name, array)

    def _refuse_repeats(self) -> None:
        rows = first_repeat(self.task, self.worker, self.by_task)
        if rows is not None:
            task, worker = self.tasks[self.task[rows[0]]], self.workers[self.worker[rows[0]]]
            raise VotesError(
                f"worker {shown(worker)} votes twice on task {shown(task)} (rows {rows[0] + 1} and {rows[1] + 1}): "
                'keep one, duplicates="first" or "last" (--duplicates)'
            )
