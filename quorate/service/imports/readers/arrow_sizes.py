"""How many bytes the cells of Arrow arrays hold, row by row, before anything is made of them.

A text that is repeated takes its place once in a file and in a dictionary of Arrow, and once per row in Python.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

NUMBER = 8  # bytes of anything of fixed size


def cell_sizes(array: Any) -> NDArray[np.int64]:
    """Return the bytes of each cell of a pyarrow array, with all that is nested in it."""
    import pyarrow.types as types

    kind = array.type
    if hasattr(array, "storage"):  # an extension type
        return cell_sizes(array.storage)
    if types.is_dictionary(kind):
        return _of_dictionary(array)
    if types.is_struct(kind):
        return sum(map(cell_sizes, array.flatten()), np.zeros(len(array), np.int64))
    if types.is_list(kind) or types.is_large_list(kind):
        return _of_lists(array, cell_sizes(array.values) + NUMBER)
    if types.is_map(kind):
        return _of_lists(array, cell_sizes(array.keys) + cell_sizes(array.items))
    if types.is_fixed_size_list(kind):
        return np.full(len(array), kind.list_size * NUMBER, np.int64)
    return _of_plain(array)


def _of_plain(array: Any) -> NDArray[np.int64]:
    import pyarrow.compute as compute
    import pyarrow.types as types

    kind = array.type
    if types.is_fixed_size_binary(kind):
        return np.full(len(array), kind.byte_width, np.int64)
    if any(test(kind) for test in (types.is_string, types.is_large_string, types.is_binary, types.is_large_binary)):
        return np.asarray(compute.binary_length(array).fill_null(0), np.int64)
    return np.full(len(array), NUMBER, np.int64)


def _of_dictionary(array: Any) -> NDArray[np.int64]:
    known = cell_sizes(array.dictionary)
    if not len(known):
        return np.zeros(len(array), np.int64)
    return known[np.asarray(array.indices.fill_null(0), np.int64)]


def _of_lists(array: Any, elements: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the sums of consecutive elements, as the offsets of lists say."""
    before = np.concatenate([[0], np.cumsum(elements)])
    offsets = np.asarray(array.offsets, np.int64)
    return before[offsets[1:]] - before[offsets[:-1]]


def holds_binary(kind: Any) -> bool:
    """Return whether a type of pyarrow holds bytes, such as those of an image."""
    import pyarrow.types as types

    if types.is_binary(kind) or types.is_large_binary(kind) or types.is_fixed_size_binary(kind):
        return True
    return any(map(holds_binary, children_of(kind)))


def children_of(kind: Any) -> list[Any]:
    """Return the types that a type of pyarrow is made of; none where it is a plain one."""
    import pyarrow.types as types

    if types.is_struct(kind):
        return [kind.field(place).type for place in range(kind.num_fields)]
    if types.is_map(kind):
        return [kind.key_type, kind.item_type]
    names = ("value_type", "storage_type")  # of lists and dictionaries, and of extensions
    return [getattr(kind, name) for name in names if hasattr(kind, name)]
