"""The posterior: class probabilities of every task."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Self

import narwhals as nw
import numpy as np
from narwhals.typing import IntoDataFrame
from numpy.typing import ArrayLike, NDArray

from quorate.data.checks import probability_rows
from quorate.data.columns import numbers, refuse_missing, renumber, require_columns
from quorate.data.factorize import encode
from quorate.data.frames import FrameKind, as_frame, frame_kind, make_frame
from quorate.data.html_tables import MAX_CLASSES, MAX_ROWS, html_table, note_hidden
from quorate.data.ids import Names, as_names, sort_classes
from quorate.data.name_lookup import TasksByName, index_of_task
from quorate.data.votes import Votes
from quorate.data.worker_models import WorkerModel
from quorate.errors import VotesError
from quorate.typing import Array

CLASS_COLUMN = "p_"  # class columns are named p_cat, p_dog, ..., so that no class has the name of another column


class TaskPosterior(NamedTuple):
    """The posterior of one task: its most likely class, the probability of that class, and those of all classes."""

    label: Any
    confidence: float
    probs: dict[Any, float]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Posterior(TasksByName):
    """The probability of each class for each task, and the model that it comes from.

    `posterior["task 17"]` is the posterior of one task, `len(posterior)` the number of tasks.

    Attributes:
        probs: (n_tasks, n_classes), rows sum to one.
        tasks: names of the tasks.
        workers: names of the workers whose votes were aggregated.
        classes: names of the classes.
        class_prior: (n_classes,).
        worker_model: None if the method has no model of workers.
        objective: one value per round: the objective if the method has one (it never falls), otherwise the change of
            `probs`.
        converged: whether the method stopped before its limit of rounds.
        discounted: whether `probs` allow for correlated votes; the votes of a raw posterior count as independent.
        note: a remark of the method, such as which of its candidates select_best chose.
        frame_kind: the kind of frame that `to_frame` returns.

    >>> votes = Votes.from_matrix([[0, 0], [1, 1]])
    >>> Posterior.of(votes, votes.counts() / 2, class_prior=np.array([0.5, 0.5]))[1]
    TaskPosterior(label=1, confidence=1.0, probs={0: 0.0, 1: 1.0})
    """

    probs: Array
    tasks: Names
    workers: Names
    classes: Names
    class_prior: Array
    worker_model: WorkerModel | None = None
    objective: Array
    converged: bool = True
    discounted: bool = False
    note: str = ""
    frame_kind: FrameKind = "polars"

    @classmethod
    def of(
        cls,
        votes: Votes,
        probs: Array,
        *,
        class_prior: Array,
        worker_model: WorkerModel | None = None,
        objective: ArrayLike = (),
        converged: bool = True,
        discounted: bool = False,
    ) -> Self:
        """Return a posterior of the tasks of these votes, with their names and kind of frame.

        Args:
            votes: the votes.
            probs: (n_tasks, n_classes).
            class_prior: (n_classes,).
            worker_model: the model of workers, None if the method has none.
            objective: one value per round.
            converged: whether the method stopped before its limit of rounds.
            discounted: whether `probs` allow for correlated votes.
        """
        return cls(
            probs=probs,
            tasks=votes.tasks,
            workers=votes.workers,
            classes=votes.classes,
            class_prior=class_prior,
            worker_model=worker_model,
            objective=np.asarray(objective, dtype=np.float64),
            converged=converged,
            discounted=discounted,
            frame_kind=votes.frame_kind,
        )

    @classmethod
    def from_frame(
        cls,
        frame: IntoDataFrame,
        *,
        task: str = "task",
        label: str = "label",
        confidence: str = "confidence",
        classes: ArrayLike | None = None,
    ) -> Self:
        """Return a posterior from a frame with a column per class (`cat` or `p_cat`), or with label and confidence.

        Args:
            frame: one row per task.
            task: the column of tasks.
            label: the column of labels.
            confidence: the column of the probability of the label (as in Appen's aggregated files); the other classes
                share the rest.
            classes: names of all classes.

        >>> import polars as pl
        >>> frame = pl.DataFrame({"task": ["a", "b"], "label": ["cat", "dog"], "confidence": [0.9, 0.6]})
        >>> Posterior.from_frame(frame).probs.round(2).tolist()
        [[0.9, 0.1], [0.4, 0.6]]
        """
        data = as_frame(frame)
        require_columns(data.columns, {"task": task})
        index, tasks = encode(data[task], "task")
        refuse_missing(index, np.ones(len(index), dtype=bool), "task")
        if not len(index):
            raise VotesError("there are no rows: give at least one task")
        if len(tasks) < len(index):
            raise VotesError("a posterior has one row per task, but some tasks occur twice: keep one row of each")
        column_of = _class_columns(data.columns, task, label, confidence, classes)
        if column_of:
            names = as_names(list(column_of))
            probs = np.column_stack([numbers(data[column]) for column in column_of.values()])
        else:
            names, probs = _from_confidence(data, label, confidence, classes)
        probs = probability_rows(probs, tasks=tasks)
        return cls(
            probs=probs,
            tasks=tasks,
            workers=as_names([]),
            classes=names,
            class_prior=probs.mean(axis=0),
            objective=np.empty(0),
            frame_kind=frame_kind(data),
        )

    def __repr__(self) -> str:
        return f"Posterior({self._summary()})"

    def _repr_html_(self) -> str:
        columns = self._columns(slice(MAX_ROWS))
        n_others = len(columns) - len(self.classes)  # task, label, confidence
        shown = dict(list(columns.items())[: n_others + MAX_CLASSES])
        hidden = note_hidden(tasks=len(self) - MAX_ROWS, classes=len(self.classes) - MAX_CLASSES)
        return html_table("Posterior", self._summary(), shown, hidden)

    def _summary(self) -> str:
        state = "converged" if self.converged else "not converged"
        return f"{self.probs.shape[0]} tasks, {self.probs.shape[1]} classes, {state}"

    def __getitem__(self, task: Any) -> TaskPosterior:
        index = index_of_task(task, self.tasks)
        probs = dict(zip(self.classes.tolist(), self.probs[index].tolist(), strict=True))
        label = self.classes.tolist()[self.labels[index]]
        return TaskPosterior(label, probs[label], probs)

    @cached_property
    def labels(self) -> NDArray[np.int64]:
        """Class index of the most likely class of each task; ties go to the lowest."""
        return np.argmax(self.probs, axis=1)

    @property
    def confidence(self) -> Array:
        """Probability of the most likely class of each task."""
        return np.max(self.probs, axis=1)

    def label_names(self) -> Names:
        """Return the name of the most likely class of each task."""
        named: Names = self.classes[self.labels]
        return named

    def to_frame(self) -> Any:
        """Return a frame with one row per task: task, label, confidence, and a column `p_...` per class.

        It is of the kind that the votes came from.
        """
        return make_frame(self._columns(slice(None)), self.frame_kind)

    def _columns(self, rows: slice) -> dict[str, NDArray[Any]]:
        probs = self.probs[rows]
        labels = self.classes[np.argmax(probs, axis=1)]
        columns = {"task": self.tasks[rows], "label": labels, "confidence": np.max(probs, axis=1)}
        return columns | {f"{CLASS_COLUMN}{name}": probs[:, index] for index, name in enumerate(self.classes.tolist())}


def _class_columns(
    columns: list[str], task: str, label: str, confidence: str, classes: ArrayLike | None
) -> dict[Any, str]:
    """Return class -> column if the frame has one per class: those named, those called p_..., or all but the task."""
    if classes is not None:
        by_name = {
            name: [c for c in (f"{CLASS_COLUMN}{name}", str(name)) if c in columns]
            for name in as_names(classes).tolist()
        }
        return {name: matches[0] for name, matches in by_name.items()} if all(by_name.values()) else {}
    prefixed = {column.removeprefix(CLASS_COLUMN): column for column in columns if column.startswith(CLASS_COLUMN)}
    if prefixed or {label, confidence} <= set(columns):
        return dict(prefixed)
    return {column: column for column in columns if column not in (task, label, confidence)}


def _from_confidence(
    data: nw.DataFrame[Any], label: str, confidence: str, classes: ArrayLike | None
) -> tuple[Names, Array]:
    if confidence == "confidence" and confidence not in data.columns:  # the caller did not name it
        listed = ", ".join(data.columns[:12])
        raise VotesError(f"there are no probabilities (columns: {listed}): give a column p_... for every class")
    require_columns(data.columns, {"label": label, "confidence": confidence})
    codes, label_names = encode(data[label], "label")
    refuse_missing(codes, np.ones(len(codes), dtype=bool), "label")
    names = sort_classes(label_names) if classes is None else as_names(classes)
    index = renumber(codes, label_names, names, "label")
    if len(names) < 2:
        raise VotesError(f"a posterior needs at least two classes, got {names.tolist()}: list all, classes=[...]")
    label_probs = numbers(data[confidence])
    probs = np.repeat((1 - label_probs)[:, None] / (len(names) - 1), len(names), axis=1)
    probs[np.arange(len(index)), index] = label_probs
    return names, probs


def require_posterior(posterior: Any) -> None:
    """Raise an error if the argument is not a Posterior."""
    if not isinstance(posterior, Posterior):
        raise VotesError(f"posterior must be a Posterior, got {type(posterior).__name__}: give aggregate(votes)")
