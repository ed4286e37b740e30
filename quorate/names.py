"""Names and their indices: the door through which every frame, list and file column becomes numbers.

Names are one numpy array: integers where the ids are integers, numpy's compact strings elsewhere.
Indices count from zero in the order of first appearance; -1 stands for a missing name.
"""

from collections.abc import Iterable
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from quorate.errors import VotesError

TEXT = np.dtypes.StringDType()

Names = NDArray[Any]
Indices = NDArray[np.signedinteger[Any]]


def as_names(values: Any) -> Names:
    """Turn a list, array or series of ids into names.

    >>> as_names(["b", "a"]).tolist(), as_names([3, 1]).tolist(), as_names([2.0, 1.0]).tolist()
    (['b', 'a'], [3, 1], [2, 1])
    """
    array = values if isinstance(values, np.ndarray) else np.asarray(values, dtype=_common_type(values))
    if array.ndim != 1:
        raise VotesError(f"names must be a flat list, got an array of shape {array.shape}")
    if array.dtype.kind == "f" and np.all(array == np.floor(array)):
        array = array.astype(np.int64)
    if array.dtype.kind in "iu":
        return np.ascontiguousarray(array, dtype=np.int64)
    return array.astype(TEXT)


def smallest(indices: NDArray[Any], size: int) -> Indices:
    """Give indices below `size` (and -1) the smallest signed integer type that holds them."""
    return np.ascontiguousarray(indices, dtype=np.min_scalar_type(-max(size, 1)))


def sort_classes(names: Names) -> Names:
    """Sort class names: by number where all of them are whole numbers, else by letter.

    >>> sort_classes(as_names(["10", "9"])).tolist(), sort_classes(as_names(["no", "10"])).tolist()
    (['9', '10'], ['10', 'no'])
    """
    if names.dtype.kind == "i":
        return np.sort(names)
    texts = names.tolist()
    if all(text.lstrip("-").isdecimal() for text in texts):
        return as_names(sorted(texts, key=lambda text: (int(text), text)))
    return as_names(sorted(texts))


def lookup(wanted: Names, names: Names) -> Indices:
    """Index in `names` of every wanted name, -1 where it is not there; 7 and "7" are the same name.

    >>> lookup(as_names(["7", "x"]), as_names([5, 7])).tolist()
    [1, -1]
    """
    if wanted.dtype != names.dtype:
        wanted, names = wanted.astype(TEXT), names.astype(TEXT)
    if not len(names):
        return smallest(np.full(len(wanted), -1), 1)
    order = np.argsort(names, kind="stable")
    place = np.minimum(np.searchsorted(names, wanted, sorter=order), len(names) - 1)
    found = order[place]
    return smallest(np.where(names[found] == wanted, found, -1), len(names))


def encode(column: nw.Series[Any], what: str, *, allow_missing: bool = False) -> tuple[Indices, Names]:
    """Code one column of a frame: (index per row, names in order of first appearance).

    A missing value (null, NaN or empty text) gets -1 where that is allowed, else it is an error that names its row.
    """
    column = _from_objects(column, what) if column.dtype in (nw.Object, nw.Unknown) else column
    missing = _missing(column)
    if not missing.any():
        return _encode_complete(column, what)
    if not allow_missing:
        raise VotesError(f"empty {what} in row {first_row(missing)}: fill it in, or leave the row out")
    codes, names = _encode_complete(column.filter((~missing).tolist()), what)
    indices = np.full(len(column), -1, dtype=codes.dtype)
    indices[~missing] = codes
    return indices, names


def first_row(bad: NDArray[np.bool_]) -> int:
    """Row of the first true value, counted from one as people count."""
    return int(np.argmax(bad)) + 1


def _encode_complete(column: nw.Series[Any], what: str) -> tuple[Indices, Names]:
    column = _plain(column, what)
    unique = column.unique(maintain_order=True).to_list()
    if not unique:
        return smallest(np.empty(0), 0), as_names([])
    codes = column.replace_strict(unique, list(range(len(unique))), return_dtype=nw.Int32)
    return smallest(codes.to_numpy(), len(unique)), as_names(unique)


def _missing(column: nw.Series[Any]) -> NDArray[np.bool_]:
    missing = column.is_null()
    if column.dtype.is_float():
        missing = missing | column.is_nan()
    if column.dtype == nw.String:
        missing = missing | (column == "").fill_null(True)
    return missing.to_numpy()


def _plain(column: nw.Series[Any], what: str) -> nw.Series[Any]:
    """Bring a complete column to whole numbers or text."""
    if column.dtype.is_integer() or column.dtype == nw.String:
        return column
    if column.dtype.is_float():
        values = column.to_numpy()
        return column.cast(nw.Int64 if np.all(values == np.floor(values)) else nw.String)
    if column.dtype in (nw.Categorical, nw.Enum, nw.Boolean):
        return column.cast(nw.String)
    raise VotesError(f"column {column.name!r} has type {column.dtype}: a {what} is text or a whole number")


def _from_objects(column: nw.Series[Any], what: str) -> nw.Series[Any]:
    """A column of Python objects: all text or all whole numbers, else the first odd one is named."""
    values = [None if value is None or value != value else value for value in column.to_list()]
    kinds = [type(value) for value in values if value is not None]
    odd = next((row for row, value in enumerate(values) if value is not None and type(value) is not kinds[0]), None)
    if odd is not None:
        raise VotesError(
            f"column {column.name!r} mixes {kinds[0].__name__} and {type(values[odd]).__name__} (row {odd + 1}): "
            f"make every {what} text, or every one a whole number"
        )
    return nw.new_series(column.name, values, backend=column.implementation)


def _common_type(values: Iterable[Any]) -> Any:
    kinds = {type(value) for value in values}
    if kinds and all(issubclass(kind, int | np.integer) for kind in kinds):
        return np.int64
    return np.float64 if kinds and all(issubclass(kind, float | np.floating) for kind in kinds) else object
