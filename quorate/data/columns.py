"""Checks and small operations on the columns of votes; every error names the row and says what to do."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import narwhals as nw
import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.data.ids import Indices, Names, first_row, freeze, lookup, shown, smallest
from quorate.errors import VotesError

MIN_SCIPY_ROWS = 100_000  # with fewer votes, importing scipy takes longer than its faster sort saves

COLUMN_SYNONYMS = {  # other names of the columns of a role, for advice
    "task": ("task_id", "item", "item_id", "question", "question_id", "example", "example_id", "id"),
    "worker": ("worker_id", "annotator", "annotator_id", "rater", "rater_id", "user", "user_id", "who"),
    "label": ("answer", "response", "annotation", "class", "category", "vote", "gold", "truth"),
}

Duplicates = Literal["error", "first", "last"]
Columns = Mapping[str, NDArray[Any] | None]


class Grouped(NamedTuple):
    """Rows of votes grouped by task or worker: group g is `rows[start[g]:start[g + 1]]`, in vote order."""

    start: NDArray[np.int64]
    rows: Indices


def group(index: NDArray[Any], size: int) -> Grouped:
    """Group rows by their index in [0, size)."""
    if _in_order(index):
        return Grouped(_starts_in_order(index, size), _all_rows(index))
    start = np.zeros(size + 1, dtype=np.int64)
    np.cumsum(np.bincount(index, minlength=size), out=start[1:])
    if len(index) < MIN_SCIPY_ROWS:
        return Grouped(start, np.argsort(index, kind="stable").astype(_all_rows(index).dtype))
    from scipy.sparse import csr_array  # its conversion is a counting sort, several times faster than argsort

    matrix = csr_array((np.ones(len(index), dtype=np.int8), (index, _all_rows(index))), shape=(size, len(index)))
    return Grouped(start, matrix.indices)


def _all_rows(index: NDArray[Any]) -> Indices:
    return np.arange(len(index), dtype=np.int32 if len(index) < 2**31 else np.int64)


def _starts_in_order(index: NDArray[Any], size: int) -> NDArray[np.int64]:
    """Return the start of each group in a sorted index; bincount would first copy the whole index."""
    start = np.zeros(size + 1, dtype=np.int64)
    last = np.flatnonzero(index[1:] != index[:-1])  # of each group but the last
    start[1:][index[last]] = last + 1
    if len(index):
        start[int(index[-1]) + 1 :] = len(index)
    return np.maximum.accumulate(start, out=start)  # an empty group starts where the one before it ends


def check_indices(values: Any, size: int, what: str, *, lowest: int = 0) -> Indices:
    """Return indices as a read-only array of the smallest type, or raise an error with the first row out of range."""
    array = np.asarray(values)
    if array.ndim != 1:
        raise VotesError(f"{what} must be a flat array of indices, got shape {array.shape}")
    if len(array) and array.dtype.kind not in "iu":
        raise VotesError(f"{what} must hold whole numbers, got {array.dtype}: give names to Votes.from_frame instead")
    if len(array) and not lowest <= array.min() <= array.max() < size:
        bad = (array < lowest) | (array >= size)
        raise VotesError(
            f"{what} indices must be in [{lowest}, {size}), got {array[bad][0]} (row {first_row(bad)}): "
            "check the sizes, or map names with Votes.from_frame"
        )
    return smallest(array, size)


def required_roles(task: str, worker: str | None, label: str, seconds: str, time: str) -> dict[str, str]:
    """Return role -> name of the required columns; seconds and time are required only if the caller named them."""
    roles = {"task": task, "worker": worker, "label": label}
    roles |= {role: name for role, name in (("seconds", seconds), ("time", time)) if name != role}
    return {role: name for role, name in roles.items() if name is not None}


class MissingColumnError(VotesError):
    """Columns that a table lacks, and those of its columns that are probably meant.

    Attributes:
        problem: the first part of the message.
        columns: role -> the column that is probably meant, "..." where none is; empty where names would not help.
    """

    problem: str = ""
    columns: Mapping[str, str] = {}

    @classmethod
    def of(cls, problem: str, advice: str, columns: Mapping[str, str]) -> "MissingColumnError":
        """Return the error with this problem and advice."""
        error = cls(f"{problem}: {advice}")
        error.problem, error.columns = problem, columns
        return error

    def in_file(self, name: str) -> "MissingColumnError":
        """Return the error with the name of a file in front."""
        advice = str(self).removeprefix(f"{self.problem}: ")
        return self.of(f"{name}: {self.problem}", advice, self.columns)

    def for_reader(self, reader: str) -> "MissingColumnError":
        """Return the error with the advice to name the columns in a call of this reader, such as "read_votes(path".

        >>> print(MissingColumnError.of("no task", "name it", {"task": "item"}).for_reader("Votes.from_frame(df"))
        no task: name yours, as in Votes.from_frame(df, task='item')
        """
        if not self.columns:
            return self
        named = ", ".join(f"{role}={column!r}" for role, column in self.columns.items())
        return self.of(self.problem, f"name yours, as in {reader}, {named})", self.columns)


def require_columns(present: Sequence[str], wanted: Mapping[str, str]) -> None:
    """Raise an error if a frame lacks one of the wanted columns (role -> column name)."""
    missing = {role: name for role, name in wanted.items() if name not in present}
    for role, name in missing.items():
        listed = ", ".join(map(str, present[:12])) + (", ..." if len(present) > 12 else "")
        problem = f"no column {name!r} for the {role} (there are: {listed})"
        if len(present) == 1 and any(separator in str(present[0]) for separator in ";\t|"):
            raise MissingColumnError.of(problem, "separate the columns by commas, or by tabs in a .tsv file", {})
        unused = [column for column in map(str, present) if column not in wanted.values()]
        meant = {role: _probable_column(unused, role, name) for role, name in missing.items()}
        advice = f"name yours with {role}={meant[role]!r} (--columns {role}={meant[role]})"
        raise MissingColumnError.of(problem, advice, meant)
    twice = [role for role, name in wanted.items() if list(wanted.values()).count(name) > 1]
    if twice:
        raise VotesError(f"column {wanted[twice[0]]!r} cannot be both {twice[0]} and {twice[1]}: name two columns")


def _probable_column(present: Sequence[str], role: str, name: str) -> str:
    """Return the column that is probably meant: by its name in another case, or by a usual name of the role."""
    by_name = {column.strip().lower().replace(" ", "_"): column for column in reversed(present)}
    candidates = (name.lower(), *COLUMN_SYNONYMS.get(role, ()))
    return next((by_name[column] for column in candidates if column in by_name), "...")


def require_distinct(names: Names, what: str) -> Names:
    """Return the names, or raise an error if one of them occurs twice."""
    seen: set[Any] = set()
    for name in names.tolist():
        if name in seen:
            raise VotesError(f"{what} must differ, but {name!r} is listed twice")
        seen.add(name)
    return names


def refuse_missing(index: Indices, nonblank: NDArray[np.bool_], what: str) -> None:
    """Raise an error if a row that is not blank lacks its task or label (index -1)."""
    missing = (index < 0) & nonblank
    if missing.any():
        raise VotesError(f"empty {what} in row {first_row(missing)}: fill it in, or leave the row out")


def take(columns: Columns, rows: NDArray[Any]) -> Columns:
    """Return these rows (a mask or indices) of all columns."""
    return {name: None if column is None else column[rows] for name, column in columns.items()}


def numbers(column: nw.Series[Any]) -> NDArray[np.float64]:
    """Convert a column of numbers, or of text with numbers, to floats; missing values become NaN."""
    if column.dtype.is_numeric():
        return column.cast(nw.Float64).to_numpy()
    if column.dtype not in (nw.String, nw.Unknown):  # unknown: nothing but nulls
        raise VotesError(f"column {column.name!r} has type {column.dtype}: give numbers")
    values = column.to_list()
    try:
        return np.array([np.nan if value is None or value == "" else float(value) for value in values])
    except ValueError as error:
        raise VotesError(f"column {column.name!r} must hold numbers: {error}") from None


def moments(column: nw.Series[Any]) -> NDArray[np.float64]:
    """Convert times (dates, ISO text or seconds since 1970) to seconds since 1970; missing values become NaN."""
    if column.dtype == nw.String:
        try:
            return numbers(column)
        except VotesError:
            column = _parse_times(column)
    if column.dtype.is_temporal():
        dates = column.cast(nw.Datetime("ms")).to_numpy().astype("datetime64[ms]")
        return np.where(np.isnat(dates), np.nan, dates.astype(np.int64) / 1000)
    return numbers(column)


def unknown_name_error(names: Names, allowed: Names, bad: NDArray[np.bool_], what: str) -> VotesError:
    """Return the error for the first of these names that is not allowed."""
    choice = ", ".join(repr(name) for name in allowed[:10].tolist()) + (", ..." if len(allowed) > 10 else "")
    return VotesError(
        f"{what} {shown(names[np.argmax(bad)])} in row {first_row(bad)} is not one of {choice}: "
        "correct it, or list every name that may occur"
    )


def renumber(index: Indices, names: Names, wanted: Names, what: str) -> Indices:
    """Turn indices into `names` into indices into `wanted`; -1 stays, a name that is not wanted is an error."""
    new_index = lookup(names, wanted)
    if np.any(new_index < 0):
        raise unknown_name_error(names[index], wanted, (index >= 0) & (new_index[index] < 0), what)
    return freeze(np.append(new_index, new_index.dtype.type(-1))[index])


def union(mine: Names, others: Names) -> tuple[Names, Indices]:
    """Return my names followed by the new ones of the other, and the index in them of each of the other's names."""
    index = lookup(others, mine).astype(np.int64)
    new = np.flatnonzero(index < 0)
    if len(new) and mine.dtype != others.dtype:
        mine, others = mine.astype(np.dtypes.StringDType()), others.astype(np.dtypes.StringDType())
    index[new] = len(mine) + np.arange(len(new))
    return freeze(np.concatenate([mine, others[new]])) if len(new) else mine, index


def concatenate(mine: Any, others: Any, n_mine: int, n_others: int) -> NDArray[np.float64] | None:
    """Return two optional columns one after the other: a missing one is NaN, None if both are missing."""
    if mine is None and others is None:
        return None
    left = np.full(n_mine, np.nan) if mine is None else mine
    return np.concatenate([left, np.full(n_others, np.nan) if others is None else others])


def cells_of(matrix: Any) -> NDArray[Any]:
    """Return the cells of a matrix as objects, None for a cell without a vote: None, NaN, masked, empty text or -1."""
    masked = isinstance(matrix, np.ma.MaskedArray)
    cells = np.array(np.ma.getdata(matrix) if masked else matrix, dtype=object)
    if cells.ndim != 2:
        raise VotesError(f"a vote matrix is tasks x workers, all rows of one length, got shape {cells.shape}")
    if masked:
        cells[np.ma.getmaskarray(matrix)] = None
    cells[np.frompyfunc(_no_vote, 1, 1)(cells).astype(bool)] = None
    return cells


def _no_vote(cell: Any) -> bool:
    # A comparison with pandas' NA is neither true nor false, so it is recognised by its type first.
    return cell is None or type(cell).__name__ == "NAType" or cell != cell or cell == -1 or cell == ""


def indices_of(selection: ArrayLike, size: int) -> NDArray[np.int64]:
    """Return the indices that a mask or a list of indices selects."""
    array = np.asarray(selection)
    if array.dtype == bool:
        if array.shape != (size,):
            raise VotesError(f"a mask must have {size} entries, got shape {array.shape}")
        return np.flatnonzero(array)
    chosen = check_indices(array.astype(np.int64) if not array.size else array, size, "selected").astype(np.int64)
    if len(np.unique(chosen)) != len(chosen):
        raise VotesError("the selection contains the same index twice: select each once")
    return chosen


def first_repeat(task: Indices, worker: Indices, by_task: Grouped) -> tuple[int, int] | None:
    """Return the rows, from zero, of the first two votes of one worker on one task; None if there are none."""
    if not _has_repeats(task, worker, by_task):
        return None
    named = np.flatnonzero(worker >= 0)
    _, first, pair = np.unique(_pairs(task[named], worker[named]), return_index=True, return_inverse=True)
    later = np.flatnonzero(first[pair] != np.arange(len(named)))[0]
    return int(named[first[pair[later]]]), int(named[later])


def _has_repeats(task: Indices, worker: Indices, by_task: Grouped, max_unsorted: int = 32) -> bool:
    """Return whether a named worker votes twice on a task; up to `max_unsorted` votes per task, without sorting."""
    most_votes = int(np.diff(by_task.start).max(initial=0))
    if most_votes > max_unsorted:
        named = worker >= 0
        pair = np.sort(_pairs(task[named], worker[named]))
        return bool(np.any(pair[1:] == pair[:-1]))
    if not _in_order(task):
        task, worker = task[by_task.rows], worker[by_task.rows]
    return any(
        np.any((task[step:] == task[:-step]) & (worker[step:] == worker[:-step]) & (worker[step:] >= 0))
        for step in range(1, most_votes)
    )


def without_repeats(columns: Columns, keep: Duplicates) -> dict[str, Any]:
    """Return the columns with only the first or last vote of each worker on a task; "error" keeps all of them."""
    task, worker = columns["task"], columns["worker"]
    assert task is not None
    assert worker is not None
    if keep not in ("error", "first", "last"):
        raise VotesError(f'duplicates must be "error", "first" or "last", got {keep!r}')
    if keep == "error":
        return dict(columns)
    named = np.flatnonzero(worker >= 0)
    ordered = named if keep == "first" else named[::-1]
    _, kept = np.unique(_pairs(task[ordered], worker[ordered]), return_index=True)
    rows = np.sort(np.concatenate([ordered[kept], np.flatnonzero(worker < 0)]))
    return dict(take(columns, rows))


def _in_order(index: NDArray[Any]) -> bool:
    return bool(np.all(index[1:] >= index[:-1]))


def _pairs(task: Indices, worker: Indices) -> NDArray[np.int64]:
    return task.astype(np.int64) << 32 | worker


def _parse_times(column: nw.Series[Any]) -> nw.Series[Any]:
    try:
        return column.str.to_datetime()
    except Exception:
        raise VotesError(f"column {column.name!r} must hold times such as 2024-05-31T12:00:00 or seconds") from None
