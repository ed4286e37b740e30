"""Inputs of the functions of `quorate.api`: votes, gold labels and class probabilities as objects, frames or files."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from difflib import get_close_matches
from inspect import signature
from os import PathLike
from pathlib import Path
from typing import Any, Literal, TypeAlias

import narwhals as nw
import numpy as np
from narwhals.typing import IntoDataFrame
from numpy.typing import ArrayLike, NDArray

from quorate import registry
from quorate.data.columns import MissingColumnError
from quorate.data.frames import as_frame, read_gold_labels
from quorate.data.ids import Names
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.errors import MethodError, VotesError
from quorate.io.files import reading
from quorate.io.formats.tables import read_table
from quorate.io.gold import read_labels
from quorate.io.items import Items, read_items
from quorate.io.votes import read_votes


@dataclass(frozen=True, kw_only=True)
class GoldFile:
    """A file of gold labels whose columns have names of their own."""

    path: Path
    task: str = "task"
    label: str = "label"


PARAMETER_SYNONYMS = {  # words that users try -> the parameter
    "classifier": "machines",
    "predictions": "machines",
    "probs": "machines",
    "labels": "gold",
    "features": "x",
    "items": "x",
}

File: TypeAlias = str | PathLike[str]
VotesLike: TypeAlias = Votes | IntoDataFrame | File
ItemsLike: TypeAlias = Items | IntoDataFrame | File | ArrayLike
GoldLike: TypeAlias = ArrayLike | IntoDataFrame | PathLike[str] | GoldFile
ProbsLike: TypeAlias = ArrayLike | Posterior | IntoDataFrame | PathLike[str]
MachinesLike: TypeAlias = ProbsLike | Mapping[str, ProbsLike] | Sequence[File]


@contextmanager
def naming_columns(reader: str) -> Iterator[None]:
    """Let an error about a missing column advise to name it in a call of this reader, such as "read_votes(path"."""
    try:
        yield
    except MissingColumnError as error:
        raise error.for_reader(reader) from None


def require_options(folder: str, name: str, options: Mapping[str, Any], function: Callable[..., Any]) -> None:
    """Raise an error if an option that a method does not have is probably meant as a parameter of the function.

    Args:
        folder: the folder of the method.
        name: the name of the method.
        options: options by name; other unknown options are left to the method.
        function: the function that they were given to.

    >>> require_options("aggregation", "majority", {"priors": None}, lambda votes, prior: None)
    Traceback (most recent call last):
    quorate.errors.MethodError: majority has no option 'priors': did you mean prior=...?
    """
    if not options:
        return
    existing, parameters = registry.options(folder, name), signature(function).parameters
    for option in options:
        meant = [PARAMETER_SYNONYMS.get(option, ""), *get_close_matches(option, [*parameters, *existing], n=1)]
        parameter = next((candidate for candidate in meant if candidate in parameters), None)
        if option not in existing and parameter is not None:
            raise MethodError(f"{name} has no option {option!r}: did you mean {parameter}=...?")


def as_votes(votes: VotesLike, *, classes: ArrayLike | None = None) -> Votes:
    """Return votes as `Votes`: as they are, from a frame with one row per vote, or from the file at a path.

    A frame or file has the columns task, worker and label; for other names use `Votes.from_frame` or `read_votes`.

    classes: all classes of a frame or file, in order; without them, those that occur, sorted.

    >>> import polars as pl
    >>> as_votes(pl.DataFrame({"task": ["a", "a"], "worker": ["x", "y"], "label": ["no", "yes"]}))
    Votes(2 votes, 1 tasks, 2 workers, 2 classes)
    """
    if isinstance(votes, Votes):
        return votes
    if isinstance(votes, str | PathLike):
        with naming_columns(f"quorate.read_votes({str(votes)!r}"):
            return read_votes(Path(votes), classes=classes)
    frame: Any = votes
    if nw.dependencies.is_into_dataframe(frame):
        with naming_columns("Votes.from_frame(frame"):
            return Votes.from_frame(frame, classes=classes)
    raise VotesError(
        f"votes must be Votes, a frame of pandas, polars or pyarrow, or the path of a file, got {type(votes).__name__}"
    )


def as_votes_and_machines(votes: VotesLike, machines: MachinesLike | None) -> tuple[Votes, Any]:
    """Return votes as `as_votes` and classifiers as `as_machines` do; classes that no vote has are the classifiers'."""
    pred_probs = as_machines(machines)
    tables = pred_probs.values() if isinstance(pred_probs, Mapping) else [pred_probs]
    classes = next((table.classes for table in tables if isinstance(table, Posterior)), None)
    return as_votes(votes, classes=classes), pred_probs


def as_items(items: Any, tasks: Names | None = None) -> Items:
    """Return items as `Items`: as they are, from a frame or the file at a path, or from an array or a list of texts.

    A frame or file has a column task and those that `read_items` reads. An array or list has one row per task.

    items: an ItemsLike. tasks: names of the rows of an array or list; without them, the rows are numbered from 0.

    >>> as_items(np.eye(3)), as_items(["a text", "another"])
    (Items(3 tasks, features), Items(2 tasks, texts))
    """
    if isinstance(items, Items):
        return items
    if isinstance(items, str | PathLike):
        with naming_columns(f"quorate.read_items({str(items)!r}"):
            return read_items(Path(items))
    if nw.dependencies.is_into_dataframe(items):
        with naming_columns("Items.from_frame(frame"):
            return Items.from_frame(items)
    if isinstance(items, list | tuple) and items and all(isinstance(text, str) for text in items):
        content: Any = list(items)
        kind: Literal["texts", "features"] = "texts"
    elif isinstance(items, list | tuple | np.ndarray) and _is_numeric(content := np.asarray(items)):
        kind = "features"
    else:
        raise VotesError(
            "items must be Items, a frame of pandas, polars or pyarrow, the path of a file, an array of features "
            f"(items x features) or a list of texts, got {_described(items)}"
        )
    names = np.arange(len(content)) if tasks is None else tasks
    if len(names) != len(content):
        raise VotesError(
            f"the items have {len(content)} rows, but the votes have {len(names)} tasks: give one row per task of the "
            "votes, or a frame with a column task"
        )
    return Items(tasks=names, kind=kind, x=content)


def named_items(x: Any) -> Any:
    """Return items that have the names of their tasks, in a frame with a column task or a file, as `Items`.

    Anything else, such as an array, has one row per task, and is returned as it is.

    >>> import polars as pl
    >>> named_items(pl.DataFrame({"task": ["a"], "size": [1.5]})), named_items([[1.5]])
    (Items(1 tasks, features), [[1.5]])
    """
    is_frame = nw.dependencies.is_into_dataframe(x)
    return as_items(x) if isinstance(x, str | PathLike) or (is_frame and "task" in as_frame(x).columns) else x


def as_gold(gold: Any, named: Votes | Posterior) -> Any:
    """Return gold labels as class indices, (n_tasks,), -1 = none; None where none are given.

    A frame or file has the columns task and label. An array is returned as it is.

    gold: a GoldLike, or None. named: what has the names of the tasks and classes.

    >>> import polars as pl
    >>> as_gold(pl.DataFrame({"task": [1], "label": [0]}), Votes.from_matrix([[0, 1], [0, 0]])).tolist()
    [-1, 0]
    """
    if isinstance(gold, GoldFile):
        return read_labels(gold.path, named.tasks, named.classes, task=gold.task, label=gold.label)
    if isinstance(gold, str | PathLike):
        with naming_columns(f"quorate.read_gold({str(gold)!r}, votes"):
            return read_labels(Path(gold), named.tasks, named.classes)
    if nw.dependencies.is_into_dataframe(gold):
        frame = as_frame(gold)
        with naming_columns("votes.gold(frame"):
            return read_gold_labels(frame, task="task", label="label", tasks=named.tasks, classes=named.classes)
    return gold


def as_probs(probs: Any) -> Any:
    """Return class probabilities as a Posterior where they have names of tasks, otherwise as an array.

    probs: a ProbsLike. A frame or file with names has one row per task: a column task, and a column p_CLASS for every
    class. A frame without a column task holds the probabilities of the tasks in their order.
    """
    if isinstance(probs, str | PathLike):
        with naming_columns("Posterior.from_frame(frame"):
            return read_probs(Path(probs))
    if not nw.dependencies.is_into_dataframe(probs):
        return probs
    if "task" not in as_frame(probs).columns:
        with suppress(TypeError, ValueError):  # text, such as the names of tasks in a column of another name
            return np.asarray(probs, dtype=np.float64)
    with naming_columns("Posterior.from_frame(frame"):
        return Posterior.from_frame(probs)


def as_machines(machines: MachinesLike | None) -> Any:
    """Return the probabilities of one classifier, or of several by name; a file gives its name to its classifier.

    >>> as_machines({"first": [[0.4, 0.6]]})
    {'first': [[0.4, 0.6]]}
    """
    if isinstance(machines, str | PathLike):
        return read_machines([machines])
    if isinstance(machines, Mapping):
        return {name: as_probs(probs) for name, probs in machines.items()}
    if isinstance(machines, list | tuple) and machines and all(isinstance(file, str | PathLike) for file in machines):
        return read_machines(machines)
    return None if machines is None else as_probs(machines)


def read_machines(files: Sequence[File], *, task: str = "task") -> dict[str, Posterior]:
    """Return the probabilities of several classifiers by the names of their files, whole paths where two are alike."""
    paths = [Path(file) for file in files]
    differ = len({path.stem for path in paths}) == len(paths)
    return {path.stem if differ else str(path): read_probs(path, task=task) for path in paths}


def read_probs(path: Path, *, task: str = "task") -> Posterior:
    """Return the class probabilities in a file: a row per task, a column per class.

    task: the name of the column of tasks, where the file has one of this name.
    """
    with reading(path):
        table = read_table(path)
        return Posterior.from_frame(table, **({"task": task} if task in table.columns else {}))


def _is_numeric(array: NDArray[Any]) -> bool:
    return array.dtype.kind in "fiub" and array.ndim >= 2


def _described(value: Any) -> str:
    """Return the type of a value, with the shape of an array."""
    shape = f" of shape {value.shape}" if hasattr(value, "shape") else ""
    return f"{type(value).__name__}{shape}"
