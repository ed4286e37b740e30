"""CSV, with commas, semicolons or tabs: one item per row."""

import csv
from collections.abc import Iterator
from pathlib import Path

from quorate.errors import FileError
from quorate.service.csv_escape import unescape
from quorate.service.imports.table import Cells, Reading, items_of, lines_of
from quorate.service.items.rows import BadRow, Limits, Rows

DELIMITERS = ",;\t"
EXPORTED = ["key", "kind"]  # how the header of our own exports begins

csv.field_size_limit(Limits().row)  # a cell may be as long as its row, as in the other formats; the default is 131,072


class _TooLongError(Exception):
    """A line longer than a row may be; the reader goes on after it."""


class _Lines:
    """The lines of a file for csv.reader, which may go on after an error. Bytes that are not UTF-8 stay marked."""

    def __init__(self, path: Path, limit: int) -> None:
        self._lines, self._limit, self.taken = lines_of(path, limit), limit, 0

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self.taken += len(line or b"")
        if line is None or self.taken > self._limit:  # also many lines inside quotation marks that never close
            raise _TooLongError
        return line.decode("utf-8", "surrogateescape")


def read(path: Path, reading: Reading) -> Rows:
    """The items of a CSV file."""
    header, cells = cells_of(path, reading.limits)
    return items_of(cells, reading, header)


def cells_of(path: Path, limits: Limits) -> tuple[list[str], Iterator[Cells]]:
    """The names of its columns, and the cells of its rows."""
    lines = _Lines(path, limits.row)
    header, delimiter = _header(lines)
    return header, _cells(lines, header, delimiter)


def _header(lines: _Lines) -> tuple[list[str], str]:
    try:
        line = next(lines).removeprefix("\ufeff")
        line.encode()
    except StopIteration:
        raise FileError("the file is empty: its first row must name the columns") from None
    except (_TooLongError, UnicodeEncodeError):
        raise FileError("the first row is not text in UTF-8: save the file as CSV in UTF-8") from None
    delimiter = max(DELIMITERS, key=line.count)
    names = next(csv.reader([line], delimiter=delimiter), [])
    return [name.strip() for name in names], delimiter


def _cells(lines: _Lines, header: list[str], delimiter: str) -> Iterator[Cells]:
    reader = csv.reader(lines, delimiter=delimiter)
    ours = header[:2] == EXPORTED
    number = 0
    while True:
        lines.taken = 0
        try:
            cells = next(reader)
        except StopIteration:
            return
        except (csv.Error, _TooLongError) as error:
            number += 1
            yield BadRow(number, f"the row is too long, or a quotation mark is never closed ({error or 'too long'})")
            continue
        if not cells:
            continue  # an empty line is no row
        number += 1
        if len(cells) != len(header):
            yield BadRow(number, f"there are {len(cells)} cells, where the first row names {len(header)} columns")
        else:
            yield number, dict(zip(header, map(unescape, cells) if ours else cells, strict=True))
