"""Frames of pandas, polars and pyarrow: reading votes and gold labels from them, and making them."""

from typing import Any, Literal, cast, get_args

import narwhals as nw
import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.data.columns import (
    Columns,
    moments,
    numbers,
    refuse_missing,
    renumber,
    require_columns,
    require_distinct,
    required_roles,
    take,
    unknown_name_error,
)
from quorate.data.factorize import encode_all
from quorate.data.ids import TEXT, Names, as_names, first_row, lookup, shown, sort_classes
from quorate.errors import VotesError

FrameKind = Literal["polars", "pandas", "pyarrow"]


def as_frame(frame: Any) -> nw.DataFrame[Any]:
    """Wrap a frame of any library as a narwhals frame."""
    try:
        return nw.from_native(frame, eager_only=True)
    except TypeError:
        raise VotesError(f"give a pandas, polars or pyarrow frame, got {type(frame).__name__}") from None
    except nw.exceptions.DuplicateError:
        raise VotesError("the frame has two columns of the same name: rename one") from None


def frame_kind(frame: nw.DataFrame[Any]) -> FrameKind:
    """Return the kind of a frame; results for an unknown kind come back as polars."""
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
    """Return the columns of a frame with a row per vote, by role, and the names of tasks, workers and classes."""
    require_columns(frame.columns, required_roles(task, worker, label, seconds, time))
    roles = {"task": task, "label": label} | ({"worker": worker} if worker is not None else {})
    coded = encode_all({role: frame[name] for role, name in roles.items()})
    (task_index, task_names), (label_index, class_names) = coded["task"], coded["label"]
    worker_index, worker_names = coded.get("worker", (np.full(len(frame), -1, dtype=np.int8), as_names([])))
    if not len(task_names) and not len(class_names):
        raise VotesError("there are no votes: give at least one row")
    complete = bool(task_index.min() >= 0 and label_index.min() >= 0)
    if not complete:
        nonblank = (task_index >= 0) | (worker_index >= 0) | (label_index >= 0)  # files may have blank lines
        refuse_missing(task_index, nonblank, "task")
        refuse_missing(label_index, nonblank, "label")
    all_tasks = task_names if tasks is None else require_distinct(as_names(tasks), "tasks")
    all_classes = sort_classes(class_names) if classes is None else as_names(classes)
    columns = {
        "task": task_index if tasks is None else renumber(task_index, task_names, all_tasks, "task"),
        "worker": worker_index,
        "label": renumber(label_index, class_names, all_classes, "label"),
        "seconds": numbers(frame[seconds]) if seconds in frame.columns else None,
        "time": moments(frame[time]) if time in frame.columns else None,
    }
    names = {"tasks": all_tasks, "workers": worker_names, "classes": all_classes}
    return columns if complete else take(columns, nonblank), names


def read_gold_labels(
    frame: nw.DataFrame[Any], *, task: str, label: str, tasks: Names, classes: Names
) -> NDArray[np.int64]:
    """Return one class index per task, -1 = none; gold labels of other tasks are ignored."""
    require_columns(frame.columns, {"task": task, "label": label})
    (index, names), (label_index, label_names) = encode_all({"task": frame[task], "label": frame[label]}).values()
    # Per row; the -1 of a missing task or label takes the -1 at the end.
    task_of = np.append(lookup(names, tasks), -1)[index]
    class_of = np.append(lookup(label_names, classes), -1)[label_index]
    labelled = (task_of >= 0) & (label_index >= 0)
    if (bad := labelled & (class_of < 0)).any():
        raise unknown_name_error(label_names[label_index], classes, bad, "gold label")
    gold = np.full(len(tasks), -1, dtype=np.int64)
    gold[task_of[labelled]] = class_of[labelled]
    if (differs := labelled & (gold[task_of] != class_of)).any():
        name = shown(names[index[np.argmax(differs)]])
        advice = "these look like votes, which go into votes=..." if "worker" in frame.columns else "keep one"
        raise VotesError(f"gold has two labels for task {name} (row {first_row(differs)}): {advice}")
    return gold
