"""The sizes of the cells of Arrow arrays in bytes, before they are converted to Python objects.

A repeated text is stored once in a file and in a dictionary of Arrow, but once per row in Python.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

NUMBER_BYTES = 8  # bytes of anything of fixed size


def cell_sizes(array: Any) -> NDArray[np.int64]:
    """Return the bytes of each cell of a pyarrow array, with all that is nested in it."""
    import pyarrow.types as types

    kind = array.type
    if hasattr(array, "storage"):  # an extension type
        return cell_sizes(array.storage)
    if types.is_dictionary(kind):
        return _dictionary_sizes(array)
    if types.is_struct(kind):
        return sum(map(cell_sizes, array.flatten()), np.zeros(len(array), np.int64))
    if types.is_list(kind) or types.is_large_list(kind):
        return _list_sizes(array, cell_sizes(array.values) + NUMBER_BYTES)
    if types.is_map(kind):
        return _list_sizes(array, cell_sizes(array.keys) + cell_sizes(array.items))
    if types.is_fixed_size_list(kind):
        return np.full(len(array), kind.list_size * NUMBER_BYTES, np.int64)
    return _plain_sizes(array)


def _plain_sizes(array: Any) -> NDArray[np.int64]:
    import pyarrow.compute as compute
    import pyarrow.types as types

    kind = array.type
    if types.is_fixed_size_binary(kind):
        return np.full(len(array), kind.byte_width, np.int64)
    if any(test(kind) for test in (types.is_string, types.is_large_string, types.is_binary, types.is_large_binary)):
        return np.asarray(compute.binary_length(array).fill_null(0), np.int64)
    return np.full(len(array), NUMBER_BYTES, np.int64)


def _dictionary_sizes(array: Any) -> NDArray[np.int64]:
    sizes = cell_sizes(array.dictionary)
    if not len(sizes):
        return np.zeros(len(array), np.int64)
    return sizes[np.asarray(array.indices.fill_null(0), np.int64)]


def _list_sizes(array: Any, elements: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the sums of consecutive elements, given by the offsets of lists."""
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
    """Return the types that a type of pyarrow is composed of; none for a primitive type."""
    import pyarrow.types as types

    if types.is_struct(kind):
        return [kind.field(index).type for index in range(kind.num_fields)]
    if types.is_map(kind):
        return [kind.key_type, kind.item_type]
    names = ("value_type", "storage_type")  # of lists and dictionaries, and of extensions
    return [getattr(kind, name) for name in names if hasattr(kind, name)]
