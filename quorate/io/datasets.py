"""Data sets in folders, all in one format, which the page `datasets` of the documentation describes.

They are found in the folder that the environment variable QUORATE_DATA names, or by path.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from quorate.data.columns import require_columns, union
from quorate.data.ids import TEXT, Names, as_names, lookup, shown
from quorate.data.votes import Votes
from quorate.errors import FileError, QuorateError, UnknownNameError, VotesError
from quorate.io.files import reading
from quorate.io.formats.tables import read_table


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Dataset:
    """A data set: every array has one row per task, in the order of `tasks`.

    Attributes:
        name: the name of its folder.
        tasks: names of the tasks.
        classes: names of the classes.
        items: the content of the tasks (text, file, ...).
        votes: None if the source has only `soft`.
        soft: vote shares, (n_tasks, n_classes).
        gold: class index, -1 = none.
        features: numbers or a sparse matrix.
        split: "train", "valid", "test" or "".
        machines: class probabilities of classifiers, by name.
    """

    name: str
    tasks: Names
    classes: Names
    items: pl.DataFrame
    votes: Votes | None
    soft: NDArray[np.float64] | None
    gold: NDArray[np.int64]
    features: Any = None
    split: Names
    machines: dict[str, NDArray[np.float64]] = field(default_factory=dict)

    def __repr__(self) -> str:
        votes = "soft labels" if self.votes is None else f"{len(self.votes)} votes"
        return f"Dataset({self.name}: {len(self.tasks)} tasks, {len(self.classes)} classes, {votes})"

    def rows(self, split: str) -> NDArray[np.int64]:
        """Return the indices of the tasks of one split."""
        return np.flatnonzero(self.split == split)


def names() -> list[str]:
    """Return the names of the data sets that can be loaded."""
    return sorted(path.parent.name for path in _root().glob("*/classes.txt"))


def load(name: str | Path) -> Dataset:
    """Load a data set by its name under QUORATE_DATA, or by the path of its folder."""
    folder = Path(name) if Path(name).is_dir() else _root() / name
    if not (folder / "classes.txt").is_file():
        existing = ", ".join(names()) if os.environ.get("QUORATE_DATA") else "none"
        raise UnknownNameError(
            f"there is no data set {str(name)!r}: choose one of {existing}, or give a folder with classes.txt"
        )
    with _explaining_errors(folder):
        return _load(folder)


@contextmanager
def _explaining_errors(folder: Path) -> Iterator[None]:
    """Turn errors in the files of a data set into one line that starts with its name."""
    try:
        yield
    except QuorateError as error:
        kind = VotesError if isinstance(error, VotesError) else FileError
        raise kind(f"{folder.name}: {error}") from None
    except (KeyError, TypeError, ValueError, pl.exceptions.PolarsError) as error:
        what = " ".join(str(error).split())[:200]
        raise FileError(f"{folder.name}: a file does not follow the format of data sets: {what}") from error


def _load(folder: Path) -> Dataset:
    with reading(folder / "classes.txt"):
        classes = as_names((folder / "classes.txt").read_text(encoding="utf-8").splitlines())
    items, votes, truth = (_table(folder, part, classes) for part in ("items", "votes", "truth"))
    counts = _arrays(folder / "counts.npz")
    tasks = _all_tasks(items, votes, truth, counts.get("ids"))
    order = _TaskOrder(tasks)
    if items is not None:
        order.indices_of("items", items["task"].to_list())
    the_votes = None
    if votes is not None:
        the_votes = Votes.from_frame(votes, tasks=tasks, classes=classes)
    elif counts:
        table = order.arrange("counts.npz", counts["ids"], counts["counts"], fill=0)
        the_votes = replace(Votes.from_counts(table, classes=classes), tasks=tasks)
    everything = pl.DataFrame({"task": tasks.tolist()}, schema={"task": pl.String})
    return Dataset(
        name=folder.name,
        tasks=tasks,
        classes=classes,
        items=everything if items is None else everything.join(items, on="task", how="left", maintain_order="left"),
        votes=the_votes,
        soft=_soft(items, the_votes, classes, order),
        gold=_gold({"truth": truth, "items": items}, classes, order),
        features=_features(folder, order),
        split=_split(items, order),
        machines=_machines(folder, order),
    )


@dataclass(frozen=True, eq=False)
class _TaskOrder:
    """The order of the tasks, into which rows with task ids are brought."""

    tasks: Names

    def indices_of(self, file: str, ids: Any) -> NDArray[np.int64]:
        """Return the index of each id; one that is unknown or occurs twice is an error."""
        names = as_names(ids).astype(TEXT)
        indices = lookup(names, self.tasks).astype(np.int64)
        if np.any(indices < 0):
            raise VotesError(f"{file}: {shown(names[np.argmin(indices)])} is not a task of this set")
        if len(np.unique(indices)) < len(indices):
            raise VotesError(f"{file}: a task occurs twice: keep one row of each")
        return indices

    def arrange(self, file: str, ids: Any, values: NDArray[Any], fill: float = np.nan) -> NDArray[Any]:
        """Return the rows in the order of the tasks, `fill` for a task without a row."""
        result = np.full((len(self.tasks), *values.shape[1:]), fill, dtype=np.result_type(values.dtype, type(fill)))
        result[self.indices_of(file, ids)] = values
        return result


def _root() -> Path:
    root = os.environ.get("QUORATE_DATA")
    if not root:
        raise FileError("QUORATE_DATA is not set: set it to the folder of the data sets, or load one by its path")
    return Path(root)


def _table(folder: Path, part: str, classes: Names) -> pl.DataFrame | None:
    """Return a table of the folder, None if it is missing; tasks are text, and labels are names of classes."""
    for path in (folder / f"{part}.csv.gz", folder / f"{part}.csv", folder / f"{part}.parquet"):
        if path.is_file():
            with reading(path):
                table = read_table(path)
                require_columns(table.columns, {"task": "task"} | ({} if part == "items" else {"label": "label"}))
                table = table.with_columns(pl.col("task").cast(pl.String))
                return table.with_columns(_label_names(table["label"], classes)) if "label" in table.columns else table
    return None


def _label_names(labels: pl.Series, classes: Names) -> pl.Series:
    text = labels.cast(pl.String).replace("", None)
    index = text.cast(pl.Int64, strict=False)
    good = index.is_between(0, len(classes) - 1).fill_null(False) | text.is_null()
    if not good.all():
        row = int(good.arg_min() or 0)
        allowed = f"0 to {len(classes) - 1}"
        raise VotesError(f"label {text[row]!r} in row {row + 1} is not in classes.txt, counted from 0: use {allowed}")
    return pl.Series("label", classes.tolist(), dtype=pl.String).gather(index)


def _arrays(path: Path) -> dict[str, NDArray[Any]]:
    if not path.is_file():
        return {}
    with reading(path), np.load(path, allow_pickle=False) as content:
        return {name: content[name] for name in content.files}


def _all_tasks(*sources: Any) -> Names:
    """Return task names in the order of first appearance: those of the items, then those of other files."""
    tasks: Names = np.empty(0, dtype=TEXT)
    for source in sources:
        if source is not None:
            ids = source["task"].unique(maintain_order=True).to_list() if isinstance(source, pl.DataFrame) else source
            tasks, _ = union(tasks, as_names(ids).astype(TEXT))
    return tasks


def _soft(items: pl.DataFrame | None, votes: Votes | None, classes: Names, order: _TaskOrder) -> Any:
    """Return the vote shares of anonymous votes, or those that the items state; None if there are neither."""
    columns = [f"conf{index}" for index in range(len(classes))]
    if votes is not None and not votes.n_workers:
        with np.errstate(invalid="ignore"):
            return votes.counts() / votes.votes_per_task[:, None]
    if items is None or not set(columns) <= set(items.columns):
        return None
    return order.arrange("items", items["task"].to_list(), items.select(pl.col(columns).cast(pl.Float64)).to_numpy())


def _gold(sources: dict[str, pl.DataFrame | None], classes: Names, order: _TaskOrder) -> NDArray[np.int64]:
    gold = np.full(len(order.tasks), -1, dtype=np.int64)
    for name, source in sources.items():
        if source is not None and "label" in source.columns:
            labelled = source.filter(pl.col("label").is_not_null())
            labels = as_names(labelled["label"].to_list()).astype(TEXT)
            gold[order.indices_of(name, labelled["task"].to_list())] = lookup(labels, classes)
    return gold


def _split(items: pl.DataFrame | None, order: _TaskOrder) -> Names:
    split = np.full(len(order.tasks), "", dtype=TEXT)
    if items is not None and "split" in items.columns:
        split[order.indices_of("items", items["task"].to_list())] = items["split"].fill_null("").to_list()
    return split


def _features(folder: Path, order: _TaskOrder) -> Any:
    """Return the rows X_<split> of features.npz, or the sparse rows of bow.npz, in the order of the tasks."""
    arrays = _arrays(folder / "features.npz")
    if arrays:
        parts = [name.removeprefix("X_") for name in arrays if name.startswith("X_")]
        values = np.concatenate([arrays[f"X_{part}"] for part in parts]).astype(np.float32)
        return order.arrange("features.npz", np.concatenate([arrays[f"ids_{part}"] for part in parts]), values)
    arrays = _arrays(folder / "bow.npz")
    return _bag_of_words(arrays, order) if arrays else None


def _bag_of_words(arrays: dict[str, NDArray[Any]], order: _TaskOrder) -> Any:
    from scipy.sparse import csr_array, vstack

    parts = [name.removeprefix("ids_") for name in arrays if name.startswith("ids_")]
    rows = []
    for part in parts:
        data, indices, start = (arrays[f"{part}_{name}"] for name in ("data", "indices", "indptr"))
        shape = (len(start) - 1, int(arrays["n_terms"]))
        rows.append(csr_array((data.astype(np.float32), indices, start), shape=shape))
    row = order.indices_of("bow.npz", np.concatenate([arrays[f"ids_{part}"] for part in parts]))
    moved = csr_array((np.ones(len(row), np.float32), (row, np.arange(len(row)))), shape=(len(order.tasks), len(row)))
    return moved @ vstack(rows, format="csr")


def _machines(folder: Path, order: _TaskOrder) -> dict[str, NDArray[np.float64]]:
    arrays = _arrays(folder / "model_probs.npz")
    ids = arrays.pop("ids", None)
    return {name: order.arrange("model_probs.npz", ids, probs.astype(np.float64)) for name, probs in arrays.items()}
