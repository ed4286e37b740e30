"""Frames of pandas, polars and pyarrow, in and out: what a table of votes or of gold labels holds."""

from typing import Any, Literal, cast, get_args

import narwhals as nw
import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.data.columns import (
    Columns,
    distinct,
    moments,
    numbers,
    outside,
    refuse_missing,
    renumber,
    require_columns,
    required_roles,
    take,
)
from quorate.data.factorize import encode_all
from quorate.data.ids import TEXT, Names, as_names, first_row, lookup, shown, sort_classes
from quorate.errors import VotesError

FrameKind = Literal["polars", "pandas", "pyarrow"]


def as_frame(frame: Any) -> nw.DataFrame[Any]:
    """A frame of any library, behind one face."""
    try:
        return nw.from_native(frame, eager_only=True)
    except TypeError:
        raise VotesError(f"give a frame of pandas, polars or pyarrow, got {type(frame).__name__}") from None
    except nw.exceptions.DuplicateError:
        raise VotesError("the frame has two columns of the same name: rename one") from None


def frame_kind(frame: nw.DataFrame[Any]) -> FrameKind:
    """The kind of a frame; results for any other kind come back in polars."""
    name = str(frame.implementation)
    return cast(FrameKind, name) if name in get_args(FrameKind) else "polars"


def make_frame(columns: dict[str, Any], kind: FrameKind) -> Any:
    """Return a native frame of this kind, with these columns."""

    def plain(column: Any) -> Any:
        return column.tolist() if getattr(column, "dtype", None) in (TEXT, object) else column

    return nw.from_dict({name: plain(column) for name, column in columns.items()}, backend=kind).to_native()


def read_vote_columns(
    frame: nw.DataFrame[Any],
    *,
    task: str,
    worker: str | None,
    label: str,
    seconds: str,
    time: str,
    tasks: ArrayLike | None,
    classes: ArrayLike | None,
) -> tuple[Columns, dict[str, Names]]:
    """(index columns and times by name, names of tasks, workers and classes) of a table with one row per vote."""
    require_columns(frame.columns, required_roles(task, worker, label, seconds, time))
    roles = {"task": task, "label": label} | ({"worker": worker} if worker is not None else {})
    coded = encode_all({role: frame[name] for role, name in roles.items()})
    (task_index, task_names), (label_index, class_names) = coded["task"], coded["label"]
    worker_index, worker_names = coded.get("worker", (np.full(len(frame), -1, dtype=np.int8), as_names([])))
    if not len(task_names) and not len(class_names):
        raise VotesError("there are no votes: give at least one row")
    complete = bool(task_index.min() >= 0 and label_index.min() >= 0)
    if not complete:
        given = (task_index >= 0) | (worker_index >= 0) | (label_index >= 0)  # a row without anything is a blank line
        refuse_missing(task_index, given, "task")
        refuse_missing(label_index, given, "label")
    all_tasks = task_names if tasks is None else distinct(as_names(tasks), "tasks")
    all_classes = sort_classes(class_names) if classes is None else as_names(classes)
    columns = {
        "task": task_index if tasks is None else renumber(task_index, task_names, all_tasks, "task"),
        "worker": worker_index,
        "label": renumber(label_index, class_names, all_classes, "label"),
        "seconds": numbers(frame[seconds]) if seconds in frame.columns else None,
        "time": moments(frame[time]) if time in frame.columns else None,
    }
    names = {"tasks": all_tasks, "workers": worker_names, "classes": all_classes}
    return columns if complete else take(columns, given), names


def read_gold_labels(
    frame: nw.DataFrame[Any], *, task: str, label: str, tasks: Names, classes: Names
) -> NDArray[np.int64]:
    """One class index per task, -1 where there is none; tasks that are not among these are passed over."""
    require_columns(frame.columns, {"task": task, "label": label})
    (index, names), (said, said_names) = encode_all({"task": frame[task], "label": frame[label]}).values()
    # Per row; the -1 of a missing task or label takes the -1 at the end.
    task_of = np.append(lookup(names, tasks), -1)[index]
    class_of = np.append(lookup(said_names, classes), -1)[said]
    known = (task_of >= 0) & (said >= 0)
    if (bad := known & (class_of < 0)).any():
        raise outside(said_names[said], classes, bad, "gold label")
    gold = np.full(len(tasks), -1, dtype=np.int64)
    gold[task_of[known]] = class_of[known]
    if (differs := known & (gold[task_of] != class_of)).any():
        name = shown(names[index[np.argmax(differs)]])
        raise VotesError(f"gold has two labels for task {name} (row {first_row(differs)}): keep one")
    return gold
