"""The number of rows of a Parquet row group that can be read at a time in bounded memory, or why it cannot be read."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from quorate.errors import FileError
from quorate.service.imports.readers.arrow_sizes import children_of
from quorate.service.imports.readers.parquet_pages import Pages, read_pages

MAX_FOOTER_BYTES = 16_000_000  # in memory it takes about ten times as much
MAX_PAGE_BYTES = 256_000_000  # of the pages that are decompressed at the same time, one per column
MAX_BATCH_BYTES = 64_000_000  # of the rows of a batch; pyarrow takes three times as many
MAX_BATCH_ROWS = 1000
MAX_LIST_BYTES = 512_000_000  # of all lists of a column, since one row may contain all of them
MAX_LIST_SIZE = 1_000_000  # elements of a type with lists of fixed size
LEVEL_BYTES = 4  # that pyarrow needs for the position of an element in its list
WIDTHS = {"BOOLEAN": 1, "INT32": 4, "INT64": 8, "INT96": 12, "FLOAT": 4, "DOUBLE": 8}
HINT = "write it with smaller row groups, such as row_group_size=100 of pyarrow"


def check_footer(path: Path) -> None:
    """Refuse a file whose footer is so large that reading it would take much memory."""
    size = path.stat().st_size
    with path.open("rb") as file:
        file.seek(max(0, size - 8))
        length = int.from_bytes(file.read(4), "little")
    if MAX_FOOTER_BYTES < length <= size:  # a longer one than the file is not Parquet
        raise FileError(f"the footer of the Parquet file has {length:,} bytes, at most {MAX_FOOTER_BYTES:,} are read")


def unreadable_columns(file: Any, names: Sequence[str]) -> set[str]:
    """Return the columns that need unbounded memory: lists of texts, which no item has, or very long lists."""
    wanted = set(names)
    unreadable = {field.name for field in file.schema_arrow if field.name in wanted and _has_long_lists(field.type)}
    for index in range(len(file.schema)):
        leaf = file.schema.column(index)
        if leaf.max_repetition_level and _width(leaf) is None:
            unreadable |= _owners(leaf.path) & wanted
    return unreadable


def plan_row_group(file: Any, raw: BinaryIO, group: int, names: Sequence[str]) -> int:
    """Return how many rows can be read at a time; refuse a row group that needs too much memory."""
    resident = per_row = 0
    for leaf, pages in _read_pages(file, raw, group, names):
        resident += pages.resident
        if leaf.max_repetition_level:
            _check_lists(leaf, pages)
        else:
            per_row += _width(leaf) or pages.largest_value
    if resident > MAX_PAGE_BYTES:
        raise FileError(
            f"row group {group + 1} of the Parquet file needs {resident:,} bytes of memory, "
            f"at most {MAX_PAGE_BYTES:,} are allowed: {HINT}"
        )
    return max(1, min(MAX_BATCH_ROWS, MAX_BATCH_BYTES // max(1, per_row)))


def _check_lists(leaf: Any, pages: Pages) -> None:
    size = pages.values * ((_width(leaf) or 0) + LEVEL_BYTES)
    if size > MAX_LIST_BYTES:
        raise FileError(
            f"the column {leaf.path!r} has {pages.values:,} elements in one row group, which take {size:,} bytes; "
            f"at most {MAX_LIST_BYTES:,} are read: {HINT}"
        )


def _read_pages(file: Any, raw: BinaryIO, group: int, names: Sequence[str]) -> Iterator[tuple[Any, Pages]]:
    """Yield the columns to read, and the sizes of their pages in a row group."""
    wanted, chunks = set(names), file.metadata.row_group(group)
    for index in range(len(file.schema)):
        leaf = file.schema.column(index)
        if _owners(leaf.path) & wanted:
            chunk = chunks.column(index)
            start = chunk.data_page_offset
            if chunk.has_dictionary_page and chunk.dictionary_page_offset:
                start = min(start, chunk.dictionary_page_offset)
            yield leaf, read_pages(raw, start, chunk.total_compressed_size)


def _owners(path: str) -> set[str]:
    """Return the columns of the table to which a column of the file may belong, by its path."""
    parts = path.split(".")
    return {".".join(parts[:n]) for n in range(1, len(parts) + 1)}


def _width(leaf: Any) -> int | None:
    """Return the size of a value in bytes; None where sizes differ."""
    if leaf.physical_type == "FIXED_LEN_BYTE_ARRAY":
        return int(leaf.length)
    return WIDTHS.get(leaf.physical_type)


def _has_long_lists(kind: Any) -> bool:
    """Return whether a type has lists of a fixed size that is so large that an empty row fills the memory."""
    if getattr(kind, "list_size", 0) > MAX_LIST_SIZE:
        return True
    return any(map(_has_long_lists, children_of(kind)))
