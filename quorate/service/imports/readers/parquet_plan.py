"""How a row group of a Parquet file can be read in little memory, or why it cannot."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from quorate.errors import FileError
from quorate.service.imports.readers.arrow_sizes import children_of
from quorate.service.imports.readers.parquet_pages import Pages, read_pages

LARGEST_FOOTER = 16_000_000  # bytes: in memory it takes some ten times as much
UNPACKED_AT_ONCE = 256_000_000  # bytes of the pages that are unpacked at the same time, one per column
BATCH_BYTES = 64_000_000  # bytes that the rows of a batch can have at most; pyarrow takes three times as many
BATCH = 1000  # rows
LIST_BYTES = 512_000_000  # bytes of all lists of a column, since one row may have all of them
LONGEST_LIST = 1_000_000  # elements that a type with lists of one length may ask for
LEVELS = 4  # bytes that pyarrow needs for the place of an element in its list
WIDTHS = {"BOOLEAN": 1, "INT32": 4, "INT64": 8, "INT96": 12, "FLOAT": 4, "DOUBLE": 8}
SMALLER = "write it with smaller row groups, such as row_group_size=100 of pyarrow"


def check_footer(path: Path) -> None:
    """Refuse a file whose description is so long that reading it alone would take much memory."""
    size = path.stat().st_size
    with path.open("rb") as file:
        file.seek(max(0, size - 8))
        length = int.from_bytes(file.read(4), "little")
    if LARGEST_FOOTER < length <= size:  # one that is longer than the file is no Parquet file
        raise FileError(f"the footer of the Parquet file has {length:,} bytes, at most {LARGEST_FOOTER:,} are read")


def unreadable(file: Any, names: Sequence[str]) -> set[str]:
    """Return the columns that cannot be read in bounded memory: lists of texts, which no item has, or endless ones."""
    wanted = set(names)
    found = {field.name for field in file.schema_arrow if field.name in wanted and _has_long_lists(field.type)}
    for place in range(len(file.schema)):
        leaf = file.schema.column(place)
        if leaf.max_repetition_level and _width(leaf) is None:
            found |= _owners(leaf.path) & wanted
    return found


def plan_row_group(file: Any, raw: BinaryIO, group: int, names: Sequence[str]) -> int:
    """Return how many rows can be read at a time; refuse a row group that needs too much memory at once."""
    at_once = per_row = 0
    for leaf, pages in _pages(file, raw, group, names):
        at_once += pages.at_once
        if leaf.max_repetition_level:
            _check_lists(leaf, pages)
        else:
            per_row += _width(leaf) or pages.largest_value
    if at_once > UNPACKED_AT_ONCE:
        raise FileError(
            f"row group {group + 1} of the Parquet file unpacks {at_once:,} bytes at once, "
            f"at most {UNPACKED_AT_ONCE:,} are read: {SMALLER}"
        )
    return max(1, min(BATCH, BATCH_BYTES // max(1, per_row)))


def _check_lists(leaf: Any, pages: Pages) -> None:
    size = pages.values * ((_width(leaf) or 0) + LEVELS)
    if size > LIST_BYTES:
        raise FileError(
            f"the column {leaf.path!r} has {pages.values:,} elements in one row group, which take {size:,} bytes; "
            f"at most {LIST_BYTES:,} are read: {SMALLER}"
        )


def _pages(file: Any, raw: BinaryIO, group: int, names: Sequence[str]) -> Iterator[tuple[Any, Pages]]:
    """The columns to read, and what their pages take in a row group."""
    wanted, chunks = set(names), file.metadata.row_group(group)
    for place in range(len(file.schema)):
        leaf = file.schema.column(place)
        if _owners(leaf.path) & wanted:
            chunk = chunks.column(place)
            start = chunk.data_page_offset
            if chunk.has_dictionary_page and chunk.dictionary_page_offset:
                start = min(start, chunk.dictionary_page_offset)
            yield leaf, read_pages(raw, start, chunk.total_compressed_size)


def _owners(path: str) -> set[str]:
    """Return the columns of the table that a column of the file may belong to, as pyarrow tells by its path."""
    parts = path.split(".")
    return {".".join(parts[:n]) for n in range(1, len(parts) + 1)}


def _width(leaf: Any) -> int | None:
    """Return the bytes of a value; none where they differ."""
    if leaf.physical_type == "FIXED_LEN_BYTE_ARRAY":
        return int(leaf.length)
    return WIDTHS.get(leaf.physical_type)


def _has_long_lists(kind: Any) -> bool:
    """Whether a type asks for lists of one length which is so large that an empty row fills the memory."""
    if getattr(kind, "list_size", 0) > LONGEST_LIST:
        return True
    return any(map(_has_long_lists, children_of(kind)))
