"""Data sets in folders, all in one shape. The folder format is on the page `datasets` of the documentation.

Sets are looked for under the folder that the environment variable QUORATE_DATA names; your own fit in too.
"""

import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from quorate.columns import union
from quorate.errors import FileError, UnknownNameError
from quorate.io.files import reading
from quorate.io.tables import read_table
from quorate.names import Names, as_names, lookup
from quorate.votes import Votes


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Dataset:
    """A data set: every array has one row per task, in the order of `tasks`.

    items: what is asked about (text, file, ...). votes: None where the source has only `soft`, shares of the classes.
    gold: class index, -1 = none. features: numbers or a sparse matrix. split: "train", "valid", "test" or "".
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
    split: NDArray[np.str_]
    machines: dict[str, NDArray[np.float64]] = field(default_factory=dict)

    def __repr__(self) -> str:
        votes = "soft labels" if self.votes is None else f"{len(self.votes)} votes"
        return f"Dataset({self.name}: {len(self.tasks)} tasks, {len(self.classes)} classes, {votes})"

    def rows(self, split: str) -> NDArray[np.int64]:
        """Indices of the tasks of one split."""
        return np.flatnonzero(self.split == split)


def names() -> list[str]:
    """Names of the data sets that can be loaded."""
    return sorted(path.parent.name for path in _root().glob("*/classes.txt"))


def load(name: str | Path) -> Dataset:
    """A data set by its name under QUORATE_DATA, or by the path of its folder."""
    folder = Path(name) if Path(name).is_dir() else _root() / name
    if not (folder / "classes.txt").is_file():
        there = ", ".join(names()) if os.environ.get("QUORATE_DATA") else "none"
        raise UnknownNameError(
            f"there is no data set {str(name)!r}: choose one of {there}, or give a folder with classes.txt"
        )
    classes = as_names((folder / "classes.txt").read_text(encoding="utf-8").splitlines())
    items, votes, truth = (_table(folder, part) for part in ("items", "votes", "truth"))
    counts = _arrays(folder / "counts.npz")
    tasks = _all_tasks(items, votes, truth, counts.get("ids"))
    soft = _soft(items, tasks, classes)
    the_votes = None
    if votes is not None:
        the_votes = Votes.from_frame(_named(votes, classes), tasks=tasks, classes=classes)
    elif counts:
        the_votes = _anonymous(counts, tasks, classes)
        soft = the_votes.counts() / np.maximum(the_votes.votes_per_task, 1)[:, None]
    everything = pl.DataFrame({"task": tasks.tolist()}, schema={"task": pl.String})
    return Dataset(
        name=folder.name,
        tasks=tasks,
        classes=classes,
        items=everything if items is None else everything.join(items, on="task", how="left", maintain_order="left"),
        votes=the_votes,
        soft=soft,
        gold=_gold([truth, items], tasks),
        features=_features(folder, tasks),
        split=_split(items, tasks),
        machines=_machines(folder, tasks),
    )


def _root() -> Path:
    root = os.environ.get("QUORATE_DATA")
    if not root:
        raise FileError("QUORATE_DATA is not set: let it name the folder of the data sets, or load one by its path")
    return Path(root)


def _table(folder: Path, part: str) -> pl.DataFrame | None:
    for path in (folder / f"{part}.csv.gz", folder / f"{part}.csv", folder / f"{part}.parquet"):
        if path.is_file():
            with reading(path):
                return read_table(path)
    return None


def _arrays(path: Path) -> dict[str, NDArray[Any]]:
    if not path.is_file():
        return {}
    with np.load(path, allow_pickle=False) as content:
        return {name: content[name] for name in content.files}


def _all_tasks(*sources: Any) -> Names:
    """Task names in the order of first appearance: items first, then those of other files."""
    tasks = as_names([])
    for source in sources:
        if source is not None:
            ids = source["task"].unique(maintain_order=True).to_list() if isinstance(source, pl.DataFrame) else source
            tasks, _ = union(tasks.astype(np.dtypes.StringDType()), as_names(ids))
    return tasks


def _named(votes: pl.DataFrame, classes: Names) -> pl.DataFrame:
    """Votes with class names in place of line numbers."""
    return votes.with_columns(pl.Series("label", classes[votes["label"].cast(pl.Int64).to_numpy()].tolist()))


def _anonymous(counts: dict[str, NDArray[Any]], tasks: Names, classes: Names) -> Votes:
    table = np.zeros((len(tasks), len(classes)), dtype=np.int64)
    table[lookup(as_names(counts["ids"]), tasks)] = counts["counts"]
    return replace(Votes.from_counts(table, classes=classes), tasks=tasks)


def _soft(items: pl.DataFrame | None, tasks: Names, classes: Names) -> NDArray[np.float64] | None:
    columns = [f"conf{index}" for index in range(len(classes))]
    if items is None or not set(columns) <= set(items.columns):
        return None
    soft = np.full((len(tasks), len(classes)), np.nan)
    soft[lookup(as_names(items["task"].to_list()), tasks)] = items.select(pl.col(columns).cast(pl.Float64)).to_numpy()
    return soft


def _gold(sources: list[pl.DataFrame | None], tasks: Names) -> NDArray[np.int64]:
    gold = np.full(len(tasks), -1, dtype=np.int64)
    for source in sources:
        if source is not None and "label" in source.columns:
            known = source.filter((pl.col("label") != "") & pl.col("label").is_not_null())
            gold[lookup(as_names(known["task"].to_list()), tasks)] = known["label"].cast(pl.Int64).to_numpy()
    return gold


def _split(items: pl.DataFrame | None, tasks: Names) -> NDArray[np.str_]:
    split = np.full(len(tasks), "", dtype="<U8")
    if items is not None and "split" in items.columns:
        split[lookup(as_names(items["task"].to_list()), tasks)] = items["split"].to_numpy()
    return split


def _features(folder: Path, tasks: Names) -> Any:
    """Rows X_<split> of features.npz or the sparse rows of bow.npz, brought into the order of the tasks."""
    arrays = _arrays(folder / "features.npz")
    if arrays:
        parts = [name.removeprefix("X_") for name in arrays if name.startswith("X_")]
        values = np.concatenate([arrays[f"X_{part}"] for part in parts])
        features = np.full((len(tasks), values.shape[1]), np.nan, dtype=np.float32)
        features[lookup(as_names(np.concatenate([arrays[f"ids_{part}"] for part in parts])), tasks)] = values
        return features
    arrays = _arrays(folder / "bow.npz")
    return _bag_of_words(arrays, tasks) if arrays else None


def _bag_of_words(arrays: dict[str, NDArray[Any]], tasks: Names) -> Any:
    from scipy.sparse import csr_array, vstack

    parts = [name.removeprefix("ids_") for name in arrays if name.startswith("ids_")]
    rows = []
    for part in parts:
        data, indices, start = (arrays[f"{part}_{name}"] for name in ("data", "indices", "indptr"))
        rows.append(
            csr_array((data.astype(np.float32), indices, start), shape=(len(start) - 1, int(arrays["n_terms"])))
        )
    place = lookup(as_names(np.concatenate([arrays[f"ids_{part}"] for part in parts])), tasks)
    where = csr_array((np.ones(len(place), np.float32), (place, np.arange(len(place)))), shape=(len(tasks), len(place)))
    return where @ vstack(rows, format="csr")


def _machines(folder: Path, tasks: Names) -> dict[str, NDArray[np.float64]]:
    arrays = _arrays(folder / "model_probs.npz")
    if not arrays:
        return {}
    place = lookup(as_names(arrays.pop("ids")), tasks)
    machines = {}
    for name, probs in arrays.items():
        machines[name] = np.full((len(tasks), probs.shape[1]), np.nan)
        machines[name][place] = probs
    return machines
