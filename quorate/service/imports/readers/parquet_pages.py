"""The uncompressed sizes of the pages of a Parquet file, read from the headers of the pages.

A page is the smallest unit that a Parquet reader decompresses, to the size that the header of the page states. The
sizes in the footer of the file are checked by no reader, so they are not trusted here.
"""

from dataclasses import dataclass
from typing import Any, BinaryIO

from quorate.errors import FileError

MAX_PAGES = 100_000  # in one column of one row group
MAX_ELEMENTS = 1_000  # of a list in a page header, where the format has none
DICTIONARY_PAGE = 2

# Numbers of fields in the PageHeader of parquet.thrift
TYPE, UNCOMPRESSED, COMPRESSED = 1, 2, 3
DATA_HEADERS = (5, 8)  # of the first and the second version
N_VALUES = 1


@dataclass(frozen=True)
class Pages:
    """Uncompressed sizes of the pages of one column, in bytes, and the number of values."""

    largest_data: int
    dictionary: int
    values: int

    @property
    def resident(self) -> int:
        """The bytes of this column that a reader holds at a time: a page, and the dictionary."""
        return self.largest_data + self.dictionary

    @property
    def largest_value(self) -> int:
        """The maximum size of a value: that of the page it is in."""
        return max(self.largest_data, self.dictionary)


def read_pages(file: BinaryIO, start: int, length: int) -> Pages:
    """Return the sizes of the pages in a range of a file. Only their headers are read."""
    largest = dictionary = values = 0
    position, end = start, start + length
    for _ in range(MAX_PAGES):
        if position >= end:
            return Pages(largest, dictionary, values)
        file.seek(position)
        header = _read_header(file)
        size = max(header[UNCOMPRESSED], header[COMPRESSED])
        if header[TYPE] == DICTIONARY_PAGE:
            dictionary = max(dictionary, size)
        else:
            largest = max(largest, size)
        values += sum(header[version].get(N_VALUES, 0) for version in DATA_HEADERS if version in header)
        position = file.tell() + header[COMPRESSED]
    raise FileError(f"a column of the Parquet file has more than {MAX_PAGES:,} pages: write it with larger ones")


def _read_header(file: BinaryIO) -> dict[int, Any]:
    try:
        header = _read_struct(file)
    except (IndexError, ValueError, OverflowError, RecursionError):
        header = {}
    sizes = [header.get(field) for field in (TYPE, UNCOMPRESSED, COMPRESSED)]
    if not all(isinstance(size, int) and size >= 0 for size in sizes):
        raise FileError("the Parquet file is broken: the header of a page cannot be read")
    return header


# The part of the compact protocol of Apache Thrift that page headers use. Reading past the end is an IndexError.
STOP, TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(13)


def _read_struct(file: BinaryIO) -> dict[int, Any]:
    """Return the fields of a struct, by their numbers."""
    fields: dict[int, Any] = {}
    number = 0
    while (head := file.read(1)[0]) != STOP:
        kind, step = head & 15, head >> 4
        number = number + step if step else _signed(_read_varint(file))
        fields[number] = _read_value(file, kind)
    return fields


def _read_value(file: BinaryIO, kind: int) -> Any:
    """Read a value of a type; skip it where its content is not needed."""
    if kind in (TRUE, FALSE):
        return kind == TRUE
    if kind in (I16, I32, I64):
        return _signed(_read_varint(file))
    if kind == STRUCT:
        return _read_struct(file)
    if kind in (LIST, SET):
        return _read_list(file)
    sizes = {BYTE: 1, DOUBLE: 8}
    if kind != BINARY and kind not in sizes:
        raise ValueError(kind)
    file.seek(_read_varint(file) if kind == BINARY else sizes[kind], 1)
    return None


def _read_list(file: BinaryIO) -> None:
    head = file.read(1)[0]
    kind, n = head & 15, head >> 4
    n = _read_varint(file) if n == 15 else n
    if n > MAX_ELEMENTS:
        raise ValueError(n)
    for _ in range(n):
        _read_value(file, kind if kind not in (TRUE, FALSE) else BYTE)


def _read_varint(file: BinaryIO) -> int:
    number = 0
    for shift in range(0, 70, 7):
        byte = file.read(1)[0]
        number |= (byte & 127) << shift
        if byte < 128:
            return number
    raise ValueError("the number is too long")


def _signed(number: int) -> int:
    return (number >> 1) ^ -(number & 1)
