"""The posterior of every task."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import narwhals as nw
import numpy as np
from narwhals.typing import IntoDataFrame
from numpy.typing import ArrayLike, NDArray

from quorate.data.checks import probability_rows
from quorate.data.columns import numbers, refuse_missing, renumber, require_columns
from quorate.data.factorize import encode
from quorate.data.frames import FrameKind, as_frame, frame_kind, make_frame
from quorate.data.ids import Names, as_names, sort_classes
from quorate.data.votes import Votes
from quorate.data.worker_models import WorkerModel
from quorate.errors import VotesError
from quorate.typing import Array

CLASS_COLUMN = "p_"  # class columns of a frame are named p_cat, p_dog, ..., so that no class can hide another column


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Posterior:
    """The probability of each class for each task, and what it rests on.

    probs: (n_tasks, n_classes), rows sum to one. class_prior: (n_classes,).
    worker_model: None where the method has no model of workers.
    objective: one value per round, the objective where the method has one (it never falls), else the change of probs.
    note: what else the method has to say, such as which of its candidates select_best chose.
    """

    probs: Array
    tasks: Names
    workers: Names
    classes: Names
    class_prior: Array
    worker_model: WorkerModel | None = None
    objective: Array
    converged: bool = True
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
    ) -> Self:
        """A posterior over the tasks of these votes, with their names and kind of frame."""
        return cls(
            probs=probs,
            tasks=votes.tasks,
            workers=votes.workers,
            classes=votes.classes,
            class_prior=class_prior,
            worker_model=worker_model,
            objective=np.asarray(objective, dtype=np.float64),
            converged=converged,
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
        """A posterior from a frame with a column per class (`cat` or `p_cat`), or with `label` and `confidence`.

        Confidence is the probability of the label (as in Appen's aggregated files); the other classes share the rest.

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
            raise VotesError("a posterior has one row per task, but some tasks come twice: keep one row of each")
        found = _class_columns(data.columns, task, label, confidence, classes)
        if found:
            names = as_names(list(found))
            probs = np.column_stack([numbers(data[column]) for column in found.values()])
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
        state = "converged" if self.converged else "not converged"
        return f"Posterior({self.probs.shape[0]} tasks, {self.probs.shape[1]} classes, {state})"

    @cached_property
    def labels(self) -> NDArray[np.int64]:
        """The most likely class of each task, as indices; ties go to the lowest."""
        return np.argmax(self.probs, axis=1)

    @property
    def confidence(self) -> Array:
        """The probability of that class."""
        return np.max(self.probs, axis=1)

    def label_names(self) -> Names:
        """The most likely class of each task, by name."""
        named: Names = self.classes[self.labels]
        return named

    def to_frame(self) -> Any:
        """One row per task: task, label, confidence, a column `p_...` per class; in the kind of frame that went in."""
        columns = {"task": self.tasks, "label": self.label_names(), "confidence": self.confidence}
        for index, name in enumerate(self.classes.tolist()):
            columns[f"{CLASS_COLUMN}{name}"] = self.probs[:, index]
        return make_frame(columns, self.frame_kind)


def _class_columns(
    columns: list[str], task: str, label: str, confidence: str, classes: ArrayLike | None
) -> dict[Any, str]:
    """Column of each class, where the frame has one per class: by the names given, by p_..., or all but the task."""
    if classes is not None:
        by_name = {
            name: [c for c in (f"{CLASS_COLUMN}{name}", str(name)) if c in columns]
            for name in as_names(classes).tolist()
        }
        return {name: there[0] for name, there in by_name.items()} if all(by_name.values()) else {}
    prefixed = {column.removeprefix(CLASS_COLUMN): column for column in columns if column.startswith(CLASS_COLUMN)}
    if prefixed or {label, confidence} <= set(columns):
        return dict(prefixed)
    return {column: column for column in columns if column not in (task, label, confidence)}


def _from_confidence(
    data: nw.DataFrame[Any], label: str, confidence: str, classes: ArrayLike | None
) -> tuple[Names, Array]:
    if confidence == "confidence" and confidence not in data.columns:  # nobody said that there is such a column
        there = ", ".join(data.columns[:12])
        raise VotesError(f"there are no probabilities (columns: {there}): give a column p_... for every class")
    require_columns(data.columns, {"label": label, "confidence": confidence})
    said, said_names = encode(data[label], "label")
    refuse_missing(said, np.ones(len(said), dtype=bool), "label")
    names = sort_classes(said_names) if classes is None else as_names(classes)
    index = renumber(said, said_names, names, "label")
    if len(names) < 2:
        raise VotesError(f"a posterior needs at least two classes, got {names.tolist()}: list all, classes=[...]")
    sure = numbers(data[confidence])
    probs = np.repeat((1 - sure)[:, None] / (len(names) - 1), len(names), axis=1)
    probs[np.arange(len(index)), index] = sure
    return names, probs


def require_posterior(posterior: Any) -> None:
    """Refuse what is no Posterior."""
    if not isinstance(posterior, Posterior):
        raise VotesError(f"posterior must be a Posterior, got {type(posterior).__name__}: give aggregate(votes)")
