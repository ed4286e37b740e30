"""Inspection of a file before it is imported: its columns, what they seem to hold, and its first rows."""

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from quorate.errors import FileError
from quorate.service.imports.columns import CONTENT, Columns
from quorate.service.imports.infer_columns import infer_content, infer_key, infer_kind, infer_labels
from quorate.service.imports.parse_cells import number_columns
from quorate.service.imports.parse_table import Cells
from quorate.service.imports.readers import read_csv, read_jsonl, read_label_studio, read_parquet, read_urls, read_zip
from quorate.service.imports.readers.row_sizes import memory_size
from quorate.service.items.rows import AUDIO, IMAGE, BadRow, Limits
from quorate.service.media import is_audio

SAMPLE_ROWS, SHOWN_ROWS = 2_000, 5  # rows that are inspected, and returned
SAMPLE_BYTES = 128_000_000  # that the inspected rows may take in memory
N_EXAMPLES, MAX_VALUES = 3, 30  # of a column
MAX_LENGTH = 2_000  # characters of a cell that is returned
START_BYTES = 1_000_000  # a file of at least this size that ends inside a line is the start of a longer file

Table = tuple[Sequence[str] | None, Iterator[Cells]]


@dataclass(frozen=True)
class Column:
    """What a column seems to hold.

    Attributes:
        name: of the column.
        examples: the first distinct cells.
        distinct: the number of distinct cells.
        values: all distinct cells, most frequent first; None where there are too many to choose from.
        numbers: whether all cells are numbers.
    """

    name: str
    examples: list[str]
    distinct: int
    values: list[str] | None
    numbers: bool


@dataclass(frozen=True)
class InspectedFile:
    """The result of inspecting a file.

    Attributes:
        format: of the file.
        kind: of its items.
        columns: by field of `Columns`, the column that holds it.
        header: its columns.
        rows: its first rows.
        labels: columns that seem to hold labels.
    """

    format: str
    kind: str
    columns: dict[str, str | None]
    header: list[Column]
    rows: list[dict[str, Any]]
    labels: list[str]


def inspect_file(path: Path, file_format: str) -> InspectedFile:
    """Inspect a file, or the start of one, and return its columns and first rows."""
    if file_format == "zip":
        return _inspect_zip(path)
    names, cells = _read_table(path, file_format)
    rows, is_complete = _first_rows(cells, is_start=_is_start(path))
    names = list(dict.fromkeys(name for row in rows for name in row)) if names is None else names
    if not rows:
        raise FileError("the file has no complete row: is it empty, or of another format?")
    named = Columns(key="key", image="url") if file_format == "urls" else Columns()
    columns = infer_content(named.resolve(names), names, rows)
    if is_complete:  # otherwise a later row may repeat a key
        columns = infer_key(columns, names, rows)
    header = [_inspect_column(name, [row.get(name) for row in rows]) for name in names if name]
    return InspectedFile(
        format=file_format,
        kind=infer_kind(columns, rows),
        columns={name: getattr(columns, name) for name in ("key", *CONTENT)},
        header=header,
        rows=[{name: _to_json(value) for name, value in row.items()} for row in rows[:SHOWN_ROWS]],
        labels=infer_labels(columns, {column.name: column.distinct for column in header}, rows),
    )


def _read_table(path: Path, file_format: str) -> Table:
    limits = Limits()
    if file_format == "csv":
        return read_csv.read_cells(path, limits)
    if file_format == "parquet":
        return read_parquet.read_cells(path, limits)
    if file_format == "urls":
        return ("key", "url"), read_urls.read_cells(path, limits)
    return None, (read_jsonl if file_format == "jsonl" else read_label_studio).read_cells(path, limits)


def _first_rows(cells: Iterator[Cells], *, is_start: bool) -> tuple[list[Mapping[str, Any]], bool]:
    """Return the first rows that can be read, and whether they are all.

    In the start of a longer file, the last row may be incomplete.
    """
    rows: list[Mapping[str, Any]] = []
    last: Cells | None = None
    size = 0
    try:
        for last in itertools.islice(cells, SAMPLE_ROWS):
            if not isinstance(last, BadRow):
                rows.append(last[1])
                size += memory_size(last[1])
            if size >= SAMPLE_BYTES:
                return rows, False
    except FileError:
        if not (is_start and rows):
            raise
        return rows, False  # a JSON array that is cut off
    if is_start and len(rows) < SAMPLE_ROWS and not isinstance(last, BadRow):
        del rows[-1:]
    return rows, not is_start and len(rows) < SAMPLE_ROWS


def _is_start(path: Path) -> bool:
    """Return whether a file is the start of a longer one."""
    if path.stat().st_size < START_BYTES:
        return False
    with path.open("rb") as file:
        file.seek(-1, 2)
        return file.read() != b"\n"


def _inspect_column(name: str, cells: Sequence[Any]) -> Column:
    texts = [text for cell in cells if cell is not None and (text := str(_to_json(cell)).strip())]
    counts = Counter(texts)
    values = [text for text, _ in counts.most_common()] if len(counts) <= MAX_VALUES else None
    numbers = bool(number_columns([name], [{name: cell} for cell in cells])) and name != "features"
    return Column(name, list(counts)[:N_EXAMPLES], len(counts), values, numbers)


def _to_json(value: Any) -> Any:
    """Return a cell as JSON, shortened."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, bytes):
        return f"({len(value):,} bytes)"
    if isinstance(value, dict):
        return {str(name): _to_json(part) for name, part in itertools.islice(value.items(), 100)}
    if isinstance(value, list):
        return [_to_json(part) for part in value[:100]]
    return str(value).encode("utf-8", "replace").decode()[:MAX_LENGTH]


def _inspect_zip(path: Path) -> InspectedFile:
    """Return the names of the files in a zip, their folders, and whether they are images or audio."""
    names = read_zip.file_names(path)
    if not names:
        raise FileError("the zip contains no files: add images or audio files to it")
    kinds = [AUDIO if is_audio(name) else IMAGE for name in names]
    folders = [PurePosixPath(name).parent.name for name in names]
    cells = {"key": names, "folder": folders, "kind": kinds}
    header = [_inspect_column(name, values) for name, values in cells.items()]
    rows = [dict(zip(cells, values, strict=True)) for values in zip(*cells.values(), strict=True)]
    return InspectedFile(
        format="zip",
        kind=Counter(kinds).most_common(1)[0][0],
        columns=dict.fromkeys(("key", *CONTENT)),
        header=header,
        rows=rows[:SHOWN_ROWS],
        labels=["folder"] if 2 <= header[1].distinct <= MAX_VALUES else [],
    )
