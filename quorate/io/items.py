"""Items: the content of tasks, as classifiers read it, and reading it from files."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal
from zipfile import BadZipFile, is_zipfile

import narwhals as nw
import numpy as np
import polars as pl
from narwhals.typing import IntoDataFrame
from numpy.typing import NDArray

from quorate.data.columns import refuse_missing, require_columns
from quorate.data.factorize import encode
from quorate.data.frames import as_frame
from quorate.data.ids import Names, as_names, first_row, lookup, shown
from quorate.data.votes import Votes
from quorate.errors import FileError, VotesError
from quorate.io._features import number_matrix, numbers_of
from quorate.io.files import reading
from quorate.io.formats.tables import read_table, scan_table
from quorate.io.images import read_images

Kind = Literal["features", "texts", "pairs", "images", "texts and features", "words in texts"]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Items:
    """The content of tasks, one row per task.

    Attributes:
        tasks: names of the tasks.
        kind: the kind of content, which determines `x`.
        x: for "features" a matrix of tasks x features, or images as tasks x channels x height x width;
            for "texts" a list of texts; for "pairs" a list of pairs of texts; for "images" a list of paths (see
            `images`); for "texts and features" a tuple of a list of texts and a matrix; for "words in texts" a list of
            (text, position), where the task is about the word at that position of the text, from 0.
        columns: names of the features, if they have any.
    """

    tasks: Names
    kind: Kind
    x: Any
    columns: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.tasks)

    def __repr__(self) -> str:
        return f"Items({len(self)} tasks, {self.kind})"

    @classmethod
    def from_frame(
        cls,
        frame: IntoDataFrame,
        *,
        task: str = "task",
        text: str = "text",
        text_b: str = "text_b",
        place: str = "place",
        image: str = "image",
    ) -> "Items":
        """Return items from a pandas, polars or pyarrow frame with one row per task, as `read_items` reads a table.

        Paths of images are relative to the working directory.

        Args:
            frame: the frame.
            task: the column of tasks.
            text: the column of texts.
            text_b: the column of the second text of a pair.
            place: the column of the position of a word in its text, from 0.
            image: the column of paths of images.

        >>> Items.from_frame(pl.DataFrame({"task": ["a", "b"], "size": [1.5, 2.0]}))
        Items(2 tasks, features)
        """
        columns = {"task": task, "text": text, "text_b": text_b, "place": place, "image": image}
        return _from_table(_polars_table(as_frame(frame)), Path(), **columns)

    def take(self, rows: NDArray[np.int64]) -> Any:
        """Return these rows of x."""
        return _take(self.x, rows)

    def images(self, size: int = 32) -> "Items":
        """Return the same items with their images read: x is (n_tasks, 3, size, size), the input of image networks."""
        if self.kind != "images":
            raise VotesError(f"these items are {self.kind}, not paths of images: use them as they are")
        return replace(self, kind="features", x=read_images(self.x, size))

    def in_order(self, columns: Sequence[str]) -> "Items":
        """Return these items with their features in the order of these columns, which must have the same names.

        If either side has no names, as in .npz files, the items stay as they are.

        >>> items = Items(tasks=np.array(["a"]), kind="features", x=np.array([[1.0, 2.0]]), columns=("b", "a"))
        >>> items.in_order(["a", "b"]).x.tolist()
        [[2.0, 1.0]]
        """
        if not columns or not self.columns or tuple(columns) == self.columns:
            return self
        wanted, index = set(columns), {name: position for position, name in enumerate(self.columns)}
        missing = [name for name in columns if name not in index]
        others = [name for name in index if name not in wanted]
        if missing:
            have = f", but have {_listed(others)}" if others else ""
            raise VotesError(
                f"the items lack {_listed(missing)}, which the model was trained on{have}: use the names of training"
            )
        if others:
            raise VotesError(
                f"the model was not trained on {_listed(others)} of the items: leave out what it cannot use"
            )
        order = [index[name] for name in columns]
        x = (*self.x[:-1], self.x[-1][:, order]) if isinstance(self.x, tuple) else self.x[:, order]
        return replace(self, x=x, columns=tuple(columns))

    def with_votes(self, votes: Votes) -> Votes:
        """Return the votes with all these items as tasks, in their order; a task with votes but no item is an error.

        A classifier does not learn from an item without votes, but predicts its class.

        >>> items = Items(tasks=np.array(["a", "b"]), kind="features", x=np.eye(2))
        >>> votes = Votes.from_matrix([["no", "yes"]])
        >>> items.with_votes(replace(votes, tasks=np.array(["b"]))).votes_per_task.tolist()
        [0, 2]
        """
        index = lookup(votes.tasks, self.tasks)
        missing = (index < 0) & (votes.votes_per_task > 0)
        if missing.any():
            task = shown(votes.tasks[np.argmax(missing)])
            others = f" (nor have {missing.sum() - 1:,} others)" if missing.sum() > 1 else ""
            raise VotesError(f"task {task} has votes but no item{others}: add its row to the items, or drop its votes")
        return replace(votes, task=index[votes.task], tasks=self.tasks)


def _take(x: Any, rows: NDArray[np.int64]) -> Any:
    if isinstance(x, tuple):
        return tuple(_take(part, rows) for part in x)
    return x[rows] if isinstance(x, np.ndarray) else [x[row] for row in rows.tolist()]


def read_items(
    path: str | Path,
    *,
    task: str = "task",
    text: str = "text",
    text_b: str = "text_b",
    place: str = "place",
    image: str = "image",
) -> Items:
    """Read items from any table with a task column, or from an .npz file with `ids` and `X`.

    A table with a column `text` holds texts: with `text_b` they are pairs, with `place` a task is about one word of the
    text, and any other columns are features, which must be numbers. A table with a column `image` or `file` holds paths
    of images, relative to the table; its other columns are ignored. In any other table every column but the task is a
    feature.

    Args:
        path: the file.
        task: the column of tasks.
        text: the column of texts.
        text_b: the column of the second text of a pair.
        place: the column of the position of a word in its text, from 0.
        image: the column of paths of images.
    """
    path = Path(path)
    with reading(path):
        if path.suffix.lower() == ".npz":
            return _from_arrays(path)
        columns = {"task": task, "text": text, "text_b": text_b, "place": place, "image": image}
        return _from_table(read_table(path), path.parent, **columns)


def item_columns(path: Path) -> list[str]:
    """Return the columns of a table of items; an .npz file has none."""
    with reading(path):
        return [] if path.suffix.lower() == ".npz" else scan_table(path).collect_schema().names()


def _from_table(
    table: pl.DataFrame, folder: Path, *, task: str, text: str, text_b: str, place: str, image: str
) -> Items:
    """Return the items of a table; paths of images are relative to the folder."""
    require_columns(table.columns, {"task": task} | _renamed(text=text, text_b=text_b, place=place, image=image))
    tasks = _tasks(table[task])
    if text in table.columns:
        return _texts(table[text], table.drop({task, text}), tasks, text_b, place)
    images = [column for column in (image, "file") if column in table.columns]
    if images:
        return _images(table[images[0]], tasks, folder)
    features = [column for column in table.columns if column != task]
    return Items(tasks=tasks, kind="features", x=number_matrix(table, features, tasks), columns=tuple(features))


def _polars_table(frame: nw.DataFrame[Any]) -> pl.DataFrame:
    """Return a frame as a polars table; pandas is read column by column, which needs no pyarrow."""
    if not frame.implementation.is_pandas_like():
        return frame.to_polars()
    return pl.DataFrame([_polars_column(column) for column in frame.iter_columns()])


def _polars_column(column: nw.Series[Any]) -> pl.Series:
    name = str(column.name)  # pandas numbers columns without names
    if column.dtype.is_numeric():
        return pl.Series(name, column.to_numpy())
    missing = column.is_null().to_list()
    cells = [None if empty else cell for cell, empty in zip(column.to_list(), missing, strict=True)]
    return pl.Series(name, cells, strict=False)


def _listed(columns: Sequence[str]) -> str:
    more = f" and {len(columns) - 3:,} more" if len(columns) > 3 else ""
    return f"column{'s'[: len(columns) > 1]} {', '.join(map(shown, columns[:3]))}{more}"


def _renamed(**roles: str) -> dict[str, str]:
    """Return the columns that the caller named: these are required."""
    return {role: name for role, name in roles.items() if name != role}


def _tasks(column: pl.Series) -> Names:
    index, names = encode(as_frame(column.to_frame())[column.name], "task")
    if not len(index):
        raise VotesError("there are no rows: give at least one item")
    refuse_missing(index, np.ones(len(index), dtype=bool), "task")
    _refuse_twice(np.asarray(names)[index])
    return names


def _refuse_twice(names: Names) -> None:
    first: dict[Any, int] = {}
    for row, name in enumerate(names.tolist(), start=1):
        if name in first:
            raise VotesError(f"task {name!r} occurs twice (rows {first[name]} and {row}): keep one row of each")
        first[name] = row


def _texts(text: pl.Series, others: pl.DataFrame, tasks: Names, text_b: str, position: str) -> Items:
    """Return items from a column of texts and the other columns of the table."""
    texts = _filled(text, tasks)
    if not others.columns:
        return Items(tasks=tasks, kind="texts", x=texts)
    for role in (text_b, position):
        extra = [column for column in others.columns if column != role]
        if role in others.columns and extra:
            raise VotesError(f"column {role!r} must be the only one besides the text: leave {extra[0]!r} out")
    if text_b in others.columns:
        return Items(tasks=tasks, kind="pairs", x=list(zip(texts, _filled(others[text_b], tasks), strict=True)))
    if position in others.columns:
        positions = _positions(others[position], tasks)
        return Items(tasks=tasks, kind="words in texts", x=list(zip(texts, positions, strict=True)))
    return Items(
        tasks=tasks,
        kind="texts and features",
        x=(texts, number_matrix(others, others.columns, tasks, beside_text=True)),
        columns=tuple(others.columns),
    )


def _positions(column: pl.Series, tasks: Names) -> list[int]:
    """Return the positions of words in their texts, from 0."""
    positions = numbers_of(column, tasks)
    odd = (positions < 0) | (positions != np.floor(positions))
    if odd.any():
        wrong = column[int(np.argmax(odd))]
        raise VotesError(
            f"column {column.name!r} holds {wrong!r} (row {first_row(odd)}): give a word's number in its text, from 0"
        )
    return [int(position) for position in positions.tolist()]


def _images(column: pl.Series, tasks: Names, folder: Path) -> Items:
    paths = [folder / name for name in _filled(column, tasks)]
    missing = np.array([not path.is_file() for path in paths])
    if missing.any():
        path = paths[int(np.argmax(missing))]
        raise FileError(f"there is no image {path} (row {first_row(missing)}): paths are relative to the table")
    return Items(tasks=tasks, kind="images", x=paths)


def _filled(column: pl.Series, tasks: Names) -> list[str]:
    """Return a column of text, or raise an error if a cell is empty."""
    if column.dtype != pl.String:
        raise VotesError(f"column {column.name!r} has type {column.dtype}: give text")
    empty = column.is_null().to_numpy()
    if empty.any():
        where = f"row {first_row(empty)}, task {shown(tasks[np.argmax(empty)])}"
        raise VotesError(f"column {column.name!r} is empty ({where}): fill it in, or leave the item out")
    return column.to_list()


def _from_arrays(path: Path) -> Items:
    if not is_zipfile(path):
        raise FileError("this is not an .npz file: write one with np.savez(path, ids=..., X=...)")
    try:
        with np.load(path, allow_pickle=False) as content:
            if not {"ids", "X"} <= set(content.files):
                existing = ", ".join(content.files) or "nothing"
                raise FileError(f"it must hold the arrays ids and X, and has {existing}: name them so with np.savez")
            ids, x = content["ids"], content["X"]
    except (BadZipFile, ValueError, EOFError) as error:
        kind = "it holds objects, which could run code" if "Object arrays" in str(error) else "it is damaged"
        raise FileError(f"{kind}: write numbers with np.savez(path, ids=..., X=...)") from None
    if x.ndim < 2 or x.dtype.kind not in "fiub" or ids.shape != x.shape[:1] or not x.size:
        raise VotesError(f"X must hold numbers, one row for each of ids; got {x.dtype} {x.shape} for {len(ids)} ids")
    tasks = as_names(ids)
    _refuse_twice(tasks)
    with np.errstate(over="ignore"):
        finite = np.isfinite(x.astype(np.float32, copy=False) if x.dtype.kind == "f" else x)
    bad = ~finite.reshape(len(x), -1).all(axis=1)
    if bad.any():
        where = f"row {first_row(bad)}, task {shown(tasks[np.argmax(bad)])}"
        if np.isfinite(x[np.argmax(bad)]).all():
            raise VotesError(f"X holds a number that is too large ({where}): divide its column")
        raise VotesError(f"X holds NaN or infinity ({where}): fill it in, such as with the column's mean")
    return Items(tasks=tasks, kind="features", x=x)
