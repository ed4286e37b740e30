"""Encoding of a column of ids as indices and names, for every frame and file.

Encoding ten million string ids takes longer than a hundred rounds of EM, so it is done once, with the fastest way that
each frame library has for its own strings.
"""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from quorate.data.ids import TEXT, Indices, Names, as_names, freeze, smallest
from quorate.errors import VotesError

BLOCK = 1 << 16  # rows handled at a time where a whole column at once would double the memory


def encode(column: nw.Series[Any], what: str) -> tuple[Indices, Names]:
    """Return the index of each row, and the names in order of first appearance, of one column of a frame.

    A missing value (null, NaN or empty text) has index -1.

    >>> import polars as pl
    >>> index, names = encode(nw.from_native(pl.Series(["b", "a", "b"]), series_only=True), "task")
    >>> index.tolist(), names.tolist()
    ([0, 1, 0], ['b', 'a'])
    """
    codes, names = _code(_plain(column, what))
    codes, names = _without_empty_text(codes, names)
    return freeze(smallest(codes, len(names))), freeze(names)


def encode_all(columns: Mapping[str, nw.Series[Any]]) -> dict[str, tuple[Indices, Names]]:
    """Encode several columns in parallel; keys say what each holds, such as "task"."""
    with ThreadPoolExecutor(max_workers=2) as pool:
        return dict(zip(columns, pool.map(lambda what: encode(columns[what], what), columns), strict=True))


def _plain(column: nw.Series[Any], what: str) -> nw.Series[Any]:
    """Convert a column to numbers, text or categories; Python objects must all be of one type."""
    if column.dtype in (nw.Object, nw.Unknown):
        column = _from_objects(column, what)
    if column.dtype == nw.Boolean:
        texts = [None if value is None else str(value).lower() for value in column.to_list()]
        return nw.new_series(column.name, texts, nw.String, backend=column.implementation)
    if column.dtype.is_numeric() or column.dtype in (nw.String, nw.Categorical, nw.Enum):
        return column
    raise VotesError(f"column {column.name!r} has type {column.dtype}: a {what} is text or a whole number")


def _from_objects(column: nw.Series[Any], what: str) -> nw.Series[Any]:
    values = [None if value is None or value != value else value for value in column.to_list()]
    kinds = [type(value) for value in values if value is not None]
    odd = next((row for row, value in enumerate(values) if value is not None and type(value) is not kinds[0]), None)
    if odd is not None:
        raise VotesError(
            f"column {column.name!r} mixes {kinds[0].__name__} and {type(values[odd]).__name__} (row {odd + 1}): "
            f"make every {what} text, or every one a whole number"
        )
    if not kinds:
        return nw.new_series(column.name, values, nw.String, backend=column.implementation)
    return nw.new_series(column.name, values, backend=column.implementation)


def _code(column: nw.Series[Any]) -> tuple[NDArray[Any], Names]:
    """Return the code of each row, -1 for null or NaN, and the names."""
    present = column.drop_nulls()
    if len(present) < len(column):
        codes = np.full(len(column), -1, dtype=np.int64)
        codes[~column.is_null().to_numpy()], names = _code(present)
        return codes, names
    if column.dtype.is_numeric():
        return _code_numbers(column.to_numpy())
    if column.dtype in (nw.Categorical, nw.Enum) and not column.implementation.is_polars():
        column = column.cast(nw.String)
    native = column.to_native()
    if column.implementation.is_pandas():
        codes, unique = native.factorize()
        return codes, as_names(unique.tolist())
    if column.implementation.is_pyarrow():
        coded = native.combine_chunks().dictionary_encode()
        return coded.indices.to_numpy(), as_names(coded.dictionary.to_pylist())
    if column.dtype == nw.String:
        return _code_text(native)
    return _code_categories(native)


def _code_numbers(values: NDArray[Any]) -> tuple[NDArray[Any], Names]:
    present = ~np.isnan(values) if values.dtype.kind == "f" else np.ones(len(values), dtype=bool)
    unique, first, sorted_codes = np.unique(values[present], return_index=True, return_inverse=True)
    order = np.argsort(first)
    codes = np.full(len(values), -1, dtype=np.int64)
    codes[present] = np.argsort(order)[sorted_codes]
    return codes, as_names(unique[order])


def _code_text(column: Any) -> tuple[NDArray[Any], Names]:
    """Encode a polars column of text. Files often have the votes of a task in a row, so runs are encoded, not rows."""
    starts = np.ones(len(column), dtype=bool)  # where a run of equal values begins
    for begin in range(1, len(column), BLOCK):
        size = min(BLOCK, len(column) - begin)
        starts[begin : begin + size] = (column.slice(begin, size) != column.slice(begin - 1, size)).to_numpy()
    if 2 * starts.sum() > len(column):
        return _code_by_hash(column)
    run = np.cumsum(starts, dtype=np.int32)
    run -= 1
    heads = column.filter(starts)
    if (heads.slice(1) > heads.head(-1)).all():
        return run, _text_names(heads)  # sorted: every run is a new name
    codes, names = _code_by_hash(heads)
    return codes[run], names


def _code_by_hash(column: Any) -> tuple[NDArray[Any], Names]:
    """Encode by a join on 64-bit hashes, which is faster than on text; every row is then compared with its name."""
    hashes = column.hash().alias("hash").to_frame()
    first = hashes["hash"].arg_unique()
    numbered = hashes["hash"].gather(first).to_frame().with_row_index("code")
    codes = hashes.join(numbered, on="hash", how="left", maintain_order="left")["code"]
    names = column.gather(first)
    for begin in range(0, len(column), BLOCK):
        if (column.slice(begin, BLOCK) != names.gather(codes.slice(begin, BLOCK))).any():  # two names, one hash
            names = column.unique(maintain_order=True)
            return column.replace_strict(names, np.arange(len(names))).to_numpy(), _text_names(names)
    return codes.to_numpy(), _text_names(names)


def _code_categories(column: Any) -> tuple[NDArray[Any], Names]:
    """Renumber the codes that a polars column of categories already has."""
    codes = column.to_physical().to_numpy()
    first = np.full(int(codes.max(initial=0)) + 1, -1, dtype=np.int64)  # row in which each code is seen first
    for begin in reversed(range(0, len(codes), BLOCK)):
        block = codes[begin : begin + BLOCK]
        first[block[::-1]] = np.arange(begin + len(block) - 1, begin - 1, -1)  # backwards: the earliest is written last
    seen = np.flatnonzero(first >= 0)
    seen = seen[np.argsort(first[seen])]
    renumbered = np.empty(len(first), dtype=np.min_scalar_type(-max(len(seen), 1)))
    renumbered[seen] = np.arange(len(seen))
    return renumbered[codes], as_names(column.gather(first[seen]).to_list())


def _text_names(column: Any) -> Names:
    names = np.empty(len(column), dtype=TEXT)
    for begin in range(0, len(column), BLOCK // 4):
        block = column.slice(begin, BLOCK // 4)
        names[begin : begin + len(block)] = block.to_list()
    return names


def _without_empty_text(codes: NDArray[Any], names: Names) -> tuple[NDArray[Any], Names]:
    nonempty = names != "" if names.dtype == TEXT else np.ones(len(names), dtype=bool)
    if nonempty.all():
        return codes, names
    new_codes = np.where(nonempty, np.cumsum(nonempty) - 1, -1)
    return np.append(new_codes, -1)[codes], names[nonempty]
