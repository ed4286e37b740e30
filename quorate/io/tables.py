"""Tables on disk: CSV, TSV, JSONL, Parquet, Arrow. Text columns stay text, so that an id such as 007 survives."""

import codecs
import csv
import gzip
import io
import json
import re
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import Any

import polars as pl

from quorate.errors import FileError, VotesError
from quorate.io.files import format_of, read_bytes, read_json, replacing, require_utf8_mark

REST = "\0rest"  # the name of no column in any file


def scan_table(path: Path) -> pl.LazyFrame:
    """A table from a file, its format told by the suffix; CSV and TSV columns all as text. Read when it is used."""
    kind = format_of(path)
    if kind in ("csv", "tsv"):
        return _scan_csv(path, separator="\t" if kind == "tsv" else ",")
    if kind == "jsonl":
        content = read_bytes(path).removeprefix(codecs.BOM_UTF8)
        table = pl.read_ndjson(content, infer_schema_length=None)
        _refuse_mixed(content, [name for name in table.columns if table.schema[name] == pl.String])
        return table.lazy()
    if kind == "parquet":
        return pl.scan_parquet(path)
    if kind == "arrow":
        return pl.scan_ipc(path)
    if kind == "json":
        return from_records(read_json(path)).lazy()
    raise FileError("a manifest is written, not read: give a table of votes or labels")


def from_records(content: Any) -> pl.DataFrame:
    """A table from a list of JSON objects; a column must not mix text and numbers."""
    if not (isinstance(content, list) and content and all(isinstance(row, dict) for row in content)):
        raise FileError('this JSON is not a list of rows: give [{"task": ..., "worker": ..., "label": ...}, ...]')
    first: dict[str, type] = {}
    for number, row in enumerate(content, start=1):
        for name, value in row.items():
            kind = str if isinstance(value, str) else float
            if value is not None and first.setdefault(name, kind) is not kind:
                raise VotesError(f"column {name!r} mixes text and numbers (row {number}): make all of one kind")
    return pl.DataFrame(content, infer_schema_length=None)


def read_table(path: Path) -> pl.DataFrame:
    """A whole table, as scan_table finds it."""
    return scan_table(path).collect()


def read_columns(table: pl.LazyFrame, wanted: list[str], few_values: Collection[str | None]) -> pl.DataFrame:
    """The wanted columns of a table, in one pass; text with few different values is coded on the way, by all cores.

    The other columns are looked at too, since polars sees a row with too many fields only where it reads them all.
    """
    schema = table.collect_schema()
    columns = [
        pl.col(name).cast(pl.Categorical) if name in few_values and schema[name] == pl.String else pl.col(name)
        for name in wanted
    ]
    if set(schema) > set(wanted):
        columns.append(pl.any_horizontal(pl.exclude(wanted).is_null().any()).alias(REST))
    # The rest is dropped when all is read: any sooner, and polars would see that nobody needs it.
    return table.select(columns).collect(engine="streaming").drop(REST, strict=False)


def explain_csv(path: Path, separator: str) -> None:
    """Find the first row whose number of fields is not the header's, and say so; nothing where there is none."""
    with io.StringIO(read_bytes(path).decode("utf-8-sig"), newline="") as text, suppress(csv.Error):
        rows = csv.reader(text, delimiter=separator)
        width = len(next(rows, []))
        for number, row in enumerate(rows, start=1):
            if len(row) > width:
                raise FileError(
                    f"row {number} has {len(row)} fields, but the header has {width}: "
                    "put quotes around what contains a separator, and close every quote"
                )


def write_table(table: pl.DataFrame, path: Path) -> None:
    """Write a table in the format that the suffix names."""
    kind = format_of(path)
    if kind == "ground_truth":
        raise FileError(f"{path.name}: a manifest holds the consensus only: choose another format for this table")
    with replacing(path) as temporary:
        if kind == "parquet":
            table.write_parquet(temporary)
        elif kind == "arrow":
            table.write_ipc(temporary)
        else:
            with gzip.open(temporary, "wb") if path.suffix == ".gz" else temporary.open("wb") as out:
                _write_text(table, kind, out)


def _refuse_mixed(lines: bytes, text_columns: list[str]) -> None:
    """Refuse JSON lines with a number where the column holds text, which polars would quietly make text too."""
    for name in text_columns:
        number = re.search(rb'(?<!\\)"%s"\s*:\s*-?[0-9]' % re.escape(json.dumps(name)[1:-1].encode()), lines)
        if number:
            row = lines.count(b"\n", 0, number.start()) + 1
            raise VotesError(f"column {name!r} mixes text and numbers (row {row}): make all of one kind")


def _write_text(table: pl.DataFrame, kind: str, out: Any) -> None:
    if kind == "jsonl":
        table.write_ndjson(out)
    elif kind == "json":
        out.write(table.write_json().encode("utf-8"))
    else:
        table.write_csv(out, separator="\t" if kind == "tsv" else ",")


def _scan_csv(path: Path, separator: str) -> pl.LazyFrame:
    if path.suffix != ".gz":
        require_utf8_mark(path)
    table = pl.scan_csv(read_bytes(path) if path.suffix == ".gz" else path, separator=separator, infer_schema=False)
    names = table.collect_schema().names()
    if any("\0" in name for name in names):
        raise FileError("this is not text in UTF-8 (it holds NUL bytes): save it as CSV in UTF-8")
    doubled = [name.removesuffix("_duplicated_0") for name in names if name.endswith("_duplicated_0")]
    if doubled and doubled[0] in names:
        raise FileError(f"the header names column {doubled[0]!r} twice: rename one")
    return table
