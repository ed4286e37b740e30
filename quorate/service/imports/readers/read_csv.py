"""CSV, with commas, semicolons or tabs: one item per row."""

import csv
from collections.abc import Iterator
from pathlib import Path

from quorate.errors import FileError
from quorate.service.csv_escape import unescape
from quorate.service.imports.parse_table import Cells, ReadOptions, parse_table, read_lines
from quorate.service.items.rows import BadRow, Limits, Rows

DELIMITERS = ",;\t"
EXPORTED = ["key", "kind"]  # the first columns of our own exports

csv.field_size_limit(Limits().row)  # as in the other formats, a cell may be as long as its row; the default is 131,072


class _TooLongError(Exception):
    """A line is longer than a row may be; the reader continues after it."""


class _Lines:
    """The lines of a file for csv.reader, which may continue after an error. Invalid UTF-8 becomes surrogates."""

    def __init__(self, path: Path, limit: int) -> None:
        self._lines, self._limit, self.n_bytes = read_lines(path, limit), limit, 0

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self.n_bytes += len(line or b"")
        if line is None or self.n_bytes > self._limit:  # also many lines within an unclosed quotation mark
            raise _TooLongError
        return line.decode("utf-8", "surrogateescape")


def read(path: Path, options: ReadOptions) -> Rows:
    """Yield the items of a CSV file."""
    header, cells = read_cells(path, options.limits)
    return parse_table(cells, options, header)


def read_cells(path: Path, limits: Limits) -> tuple[list[str], Iterator[Cells]]:
    """Return the names of the columns, and an iterator over the cells of the rows."""
    lines = _Lines(path, limits.row)
    header, delimiter = _read_header(lines)
    return header, _read_rows(lines, header, delimiter)


def _read_header(lines: _Lines) -> tuple[list[str], str]:
    try:
        line = next(lines).removeprefix("\ufeff")
        line.encode()
    except StopIteration:
        raise FileError("the file is empty: its first row must contain the names of the columns") from None
    except (_TooLongError, UnicodeEncodeError):
        raise FileError("the first row is not text in UTF-8: save the file as CSV in UTF-8") from None
    delimiter = max(DELIMITERS, key=line.count)
    names = next(csv.reader([line], delimiter=delimiter), [])
    return [name.strip() for name in names], delimiter


def _read_rows(lines: _Lines, header: list[str], delimiter: str) -> Iterator[Cells]:
    reader = csv.reader(lines, delimiter=delimiter)
    is_export = header[:2] == EXPORTED
    number = 0
    while True:
        lines.n_bytes = 0
        try:
            cells = next(reader)
        except StopIteration:
            return
        except (csv.Error, _TooLongError) as error:
            number += 1
            yield BadRow(number, f"the row is too long, or a quotation mark is not closed ({error or 'too long'})")
            continue
        if not cells:
            continue  # an empty line is not a row
        number += 1
        if len(cells) != len(header):
            yield BadRow(number, f"the row has {len(cells)} cells, but the header has {len(header)} columns")
        else:
            yield number, dict(zip(header, map(unescape, cells) if is_export else cells, strict=True))
