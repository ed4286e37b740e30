"""How large the pages of a Parquet file are once they are unpacked, by the headers of the pages themselves.

A page is the least that a Parquet reader unpacks at once, and it unpacks as much as the header of the page says. What
the footer of the file says about sizes is not checked by anybody, so nothing is believed of it here.
"""

from dataclasses import dataclass
from typing import Any, BinaryIO

from quorate.errors import FileError

MOST_PAGES = 100_000  # in one column of one row group
MOST_ELEMENTS = 1_000  # of a list in a page header: the format has none
DICTIONARY_PAGE = 2

# Numbers of fields in the PageHeader of parquet.thrift
TYPE, UNPACKED, PACKED = 1, 2, 3
DATA_HEADERS = (5, 8)  # of the first and the second version
N_VALUES = 1


@dataclass(frozen=True)
class Pages:
    """What the pages of one column take when they are unpacked. largest_data, dictionary: in bytes."""

    largest_data: int
    dictionary: int
    values: int

    @property
    def at_once(self) -> int:
        """How many bytes a reader holds of this column: a page, and the dictionary."""
        return self.largest_data + self.dictionary

    @property
    def largest_value(self) -> int:
        """How many bytes a value can have at most: as many as the page that it is in."""
        return max(self.largest_data, self.dictionary)


def read_pages(file: BinaryIO, start: int, length: int) -> Pages:
    """Return what the pages between two places of a file take. Only their headers are read."""
    largest = dictionary = values = 0
    place, end = start, start + length
    for _ in range(MOST_PAGES):
        if place >= end:
            return Pages(largest, dictionary, values)
        file.seek(place)
        header = _header(file)
        size = max(header[UNPACKED], header[PACKED])
        if header[TYPE] == DICTIONARY_PAGE:
            dictionary = max(dictionary, size)
        else:
            largest = max(largest, size)
        values += sum(header[version].get(N_VALUES, 0) for version in DATA_HEADERS if version in header)
        place = file.tell() + header[PACKED]
    raise FileError(f"a column of the Parquet file has more than {MOST_PAGES:,} pages: write it with larger ones")


def _header(file: BinaryIO) -> dict[int, Any]:
    try:
        header = _struct(file)
    except (IndexError, ValueError, OverflowError, RecursionError):
        header = {}
    sizes = [header.get(field) for field in (TYPE, UNPACKED, PACKED)]
    if not all(isinstance(size, int) and size >= 0 for size in sizes):
        raise FileError("the Parquet file is broken: the header of a page cannot be read")
    return header


# The compact protocol of Apache Thrift, as far as page headers need it. Reading past the end is an IndexError.
STOP, TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(13)


def _struct(file: BinaryIO) -> dict[int, Any]:
    """Read the fields of a struct, by their numbers."""
    fields: dict[int, Any] = {}
    number = 0
    while (head := file.read(1)[0]) != STOP:
        kind, step = head & 15, head >> 4
        number = number + step if step else _signed(_varint(file))
        fields[number] = _value(file, kind)
    return fields


def _value(file: BinaryIO, kind: int) -> Any:
    """Read a value of a type; of those that nobody asks for, go past it."""
    if kind in (TRUE, FALSE):
        return kind == TRUE
    if kind in (I16, I32, I64):
        return _signed(_varint(file))
    if kind == STRUCT:
        return _struct(file)
    if kind in (LIST, SET):
        return _list(file)
    sizes = {BYTE: 1, DOUBLE: 8}
    if kind != BINARY and kind not in sizes:
        raise ValueError(kind)
    file.seek(_varint(file) if kind == BINARY else sizes[kind], 1)
    return None


def _list(file: BinaryIO) -> None:
    head = file.read(1)[0]
    kind, n = head & 15, head >> 4
    n = _varint(file) if n == 15 else n
    if n > MOST_ELEMENTS:
        raise ValueError(n)
    for _ in range(n):
        _value(file, kind if kind not in (TRUE, FALSE) else BYTE)


def _varint(file: BinaryIO) -> int:
    number = 0
    for place in range(0, 70, 7):
        byte = file.read(1)[0]
        number |= (byte & 127) << place
        if byte < 128:
            return number
    raise ValueError("a number is too long")


def _signed(number: int) -> int:
    return (number >> 1) ^ -(number & 1)
