"""Names of tasks, workers and classes, and indices into them.

Names are one numpy array: integers where the ids are integers, numpy's compact strings elsewhere.
Indices count from zero in the order of first appearance; -1 stands for a missing name.
"""

import re
from collections.abc import Iterable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from quorate.errors import VotesError

TEXT = np.dtypes.StringDType()

Names = NDArray[Any]
AnyArray = TypeVar("AnyArray", bound=NDArray[Any])
Indices = NDArray[np.signedinteger[Any]]


def as_names(values: Any) -> Names:
    """Turn a list, array or series of ids into names.

    >>> as_names(["b", "a"]).tolist(), as_names([3, 1]).tolist(), as_names([2.0, 1.0]).tolist()
    (['b', 'a'], [3, 1], [2, 1])
    """
    array = values if isinstance(values, np.ndarray) else np.asarray(values, dtype=_common_type(values))
    if array.ndim != 1:
        raise VotesError(f"names must be a flat list, got an array of shape {array.shape}")
    if array.dtype.kind == "b":
        return np.where(array, "true", "false").astype(TEXT)
    if array.dtype.kind in "iuf" and np.all(_fits_integer(array)):
        return np.ascontiguousarray(array, dtype=np.int64)
    return array.astype(TEXT, copy=False)


def freeze(array: AnyArray) -> AnyArray:
    """Make an array read-only and return it."""
    array.flags.writeable = False
    return array


def numbered(size: int) -> Names:
    """Return the names 0, 1, 2, ..."""
    return freeze(np.arange(size))


def shown(name: Any) -> str:
    """Return a name as messages show it: quoted text, or a plain number."""
    return repr(name.item() if isinstance(name, np.generic) else name)


def smallest(indices: NDArray[Any], size: int) -> Indices:
    """Convert indices below `size` (and -1) to the smallest signed integer type that holds them."""
    return np.ascontiguousarray(indices, dtype=np.min_scalar_type(-max(size, 1)))


def sort_classes(names: Names) -> Names:
    """Sort class names: by number if all of them are whole numbers, otherwise alphabetically.

    >>> sort_classes(as_names(["10", "9"])).tolist(), sort_classes(as_names(["no", "10"])).tolist()
    (['9', '10'], ['10', 'no'])
    """
    if names.dtype.kind == "i":
        return np.sort(names)
    texts = names.tolist()
    if all(re.fullmatch(r"-?[0-9]+", text) for text in texts):
        return as_names(sorted(texts, key=lambda text: (int(text), text)))
    return as_names(sorted(texts))


def lookup(wanted: Names, names: Names) -> Indices:
    """Return the index in `names` of every wanted name, -1 if it does not occur; 7 and "7" are the same name.

    >>> lookup(as_names(["7", "x"]), as_names([5, 7])).tolist()
    [1, -1]
    """
    if wanted.dtype != names.dtype:
        wanted, names = wanted.astype(TEXT), names.astype(TEXT)
    index = {name: position for position, name in enumerate(names.tolist())}
    return smallest(np.array([index.get(name, -1) for name in wanted.tolist()], dtype=np.int64), len(names))


def first_row(bad: NDArray[np.bool_]) -> int:
    """Return the row of the first true value, counted from one."""
    return int(np.argmax(bad)) + 1


def _fits_integer(array: NDArray[Any]) -> NDArray[np.bool_]:
    """Return a mask of whole numbers that a 64-bit integer, and their own type, represents exactly."""
    if array.dtype.kind == "f":
        return (array == np.floor(array)) & (np.abs(array) < 2**53)
    return array <= np.iinfo(np.int64).max if array.dtype.kind == "u" else np.ones(array.shape, dtype=bool)


def _common_type(values: Iterable[Any]) -> Any:
    kinds = {type(value) for value in values}
    if kinds and kinds <= {bool, np.bool_}:
        return np.bool_
    if kinds and all(issubclass(kind, int | np.integer) for kind in kinds) and max(map(abs, values), default=0) < 2**63:
        return np.int64
    return np.float64 if kinds and all(issubclass(kind, float | np.floating) for kind in kinds) else object
