"""A first look at a file before it is imported: its columns, what they seem to hold, and a few of its rows."""

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from quorate.errors import FileError
from quorate.service.imports.columns import SHOWN, Columns
from quorate.service.imports.infer_columns import columns_by_content, key_by_content, kind_of, label_columns
from quorate.service.imports.number_cells import number_columns
from quorate.service.imports.readers import read_csv as from_csv
from quorate.service.imports.readers import read_jsonl as from_jsonl
from quorate.service.imports.readers import read_label_studio as from_label_studio
from quorate.service.imports.readers import read_parquet as from_parquet
from quorate.service.imports.readers import read_urls as from_urls
from quorate.service.imports.readers import read_zip as from_zip
from quorate.service.imports.readers.row_sizes import weight_of
from quorate.service.imports.table import Cells
from quorate.service.items.rows import AUDIO, IMAGE, BadRow, Limits
from quorate.service.media import is_sound

ROWS, FIRST_ROWS = 2_000, 5  # rows that are looked at, and shown
EXAMPLES, VALUES, LONGEST = 3, 30, 2_000
HELD = 128_000_000  # bytes that the rows may take in memory
CUT = 1_000_000  # bytes: a file that is so long and ends inside a line is the start of a longer one

Table = tuple[Sequence[str] | None, Iterator[Cells]]


@dataclass(frozen=True)
class Column:
    """What a column seems to hold. values: the most frequent first; None where there are too many to choose from."""

    name: str
    examples: list[str]
    distinct: int
    values: list[str] | None
    numbers: bool


@dataclass(frozen=True)
class Looked:
    """A file at first sight. labels: columns that seem to hold labels."""

    format: str
    kind: str
    columns: dict[str, str | None]
    header: list[Column]
    rows: list[dict[str, Any]]
    labels: list[str]


def look(path: Path, form: str) -> Looked:
    """A first look at a file, or at its start."""
    if form == "zip":
        return _look_into_zip(path)
    names, cells = _table(path, form)
    cut = _is_cut(path)
    rows, all_seen = _first_rows(cells, cut=cut)
    names = list(dict.fromkeys(name for row in rows for name in row)) if names is None else names
    if not rows:
        raise FileError("no whole row was found in the file: is it empty, or of another format?")
    named = Columns(key="key", image="url") if form == "urls" else Columns()
    columns = columns_by_content(named.found_in(names), names, rows)
    if all_seen:  # else a row that was not seen may have the same
        columns = key_by_content(columns, names, rows)
    header = [_column(name, [row.get(name) for row in rows]) for name in names if name]
    return Looked(
        format=form,
        kind=kind_of(columns, rows),
        columns={name: getattr(columns, name) for name in ("key", *SHOWN)},
        header=header,
        rows=[{name: _shown(value) for name, value in row.items()} for row in rows[:FIRST_ROWS]],
        labels=label_columns(columns, {one.name: one.distinct for one in header}, rows),
    )


def _table(path: Path, form: str) -> Table:
    limits = Limits()
    if form == "csv":
        return from_csv.cells_of(path, limits)
    if form == "parquet":
        return from_parquet.cells_of(path, limits)
    if form == "urls":
        return ("key", "url"), from_urls.cells_of(path, limits)
    return None, (from_jsonl if form == "jsonl" else from_label_studio).cells_of(path, limits)


def _first_rows(cells: Iterator[Cells], *, cut: bool) -> tuple[list[Mapping[str, Any]], bool]:
    """The first rows that can be read, and whether they are all. In a file that was cut, the last may be incomplete."""
    found: list[Mapping[str, Any]] = []
    last: Cells | None = None
    weight = 0
    try:
        for last in itertools.islice(cells, ROWS):
            if not isinstance(last, BadRow):
                found.append(last[1])
                weight += weight_of(last[1])
            if weight >= HELD:
                return found, False
    except FileError:
        if not (cut and found):
            raise
        return found, False  # an array of JSON that was cut
    if cut and len(found) < ROWS and not isinstance(last, BadRow):
        del found[-1:]
    return found, not cut and len(found) < ROWS


def _is_cut(path: Path) -> bool:
    if path.stat().st_size < CUT:
        return False
    with path.open("rb") as file:
        file.seek(-1, 2)
        return file.read() != b"\n"


def _column(name: str, cells: Sequence[Any]) -> Column:
    texts = [text for cell in cells if cell is not None and (text := str(_shown(cell)).strip())]
    counts = Counter(texts)
    values = [text for text, _ in counts.most_common()] if len(counts) <= VALUES else None
    numbers = bool(number_columns([name], [{name: cell} for cell in cells])) and name != "features"
    return Column(name, list(counts)[:EXAMPLES], len(counts), values, numbers)


def _shown(value: Any) -> Any:
    """A cell as JSON can hold it, and not too long."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, bytes):
        return f"({len(value):,} bytes)"
    if isinstance(value, dict):
        return {str(name): _shown(one) for name, one in itertools.islice(value.items(), 100)}
    if isinstance(value, list):
        return [_shown(one) for one in value[:100]]
    return str(value).encode("utf-8", "replace").decode()[:LONGEST]


def _look_into_zip(path: Path) -> Looked:
    """The names of its files, their folders, and whether they are images or sounds."""
    names = from_zip.names_of(path)
    if not names:
        raise FileError("the zip holds no files: put images or sounds into it")
    kinds = [AUDIO if is_sound(name) else IMAGE for name in names]
    folders = [PurePosixPath(name).parent.name for name in names]
    cells = {"key": names, "folder": folders, "kind": kinds}
    header = [_column(name, found) for name, found in cells.items()]
    rows = [{"key": one, "folder": folder, "kind": kind} for one, folder, kind in zip(*cells.values(), strict=True)]
    return Looked(
        format="zip",
        kind=Counter(kinds).most_common(1)[0][0],
        columns=dict.fromkeys(("key", *SHOWN)),
        header=header,
        rows=rows[:FIRST_ROWS],
        labels=["folder"] if 2 <= header[1].distinct <= VALUES else [],
    )
