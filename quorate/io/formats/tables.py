"""Tables on disk: CSV, TSV, JSONL, Parquet, Arrow. Text columns stay text, so that an id such as 007 is kept."""

import codecs
import csv
import gzip
import io
import json
import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import polars as pl

from quorate.errors import FileError, VotesError
from quorate.io.files import read_bytes, read_json, replacing, require_utf8_mark
from quorate.io.formats.suffixes import format_of, is_gzipped

REST = "\0rest"  # no column of a file can have this name


def scan_table(path: Path) -> pl.LazyFrame:
    """Return a table of a file, by its suffix, as a lazy frame; columns of CSV and TSV are all text."""
    kind = format_of(path)
    if kind in ("csv", "tsv"):
        return _scan_csv(path, separator="\t" if kind == "tsv" else ",")
    if kind == "jsonl":
        return pl.read_ndjson(read_bytes(path).removeprefix(codecs.BOM_UTF8), infer_schema_length=None).lazy()
    if kind == "parquet":
        return pl.scan_parquet(path)
    if kind == "arrow":
        return pl.scan_ipc(path)
    if kind == "json":
        return pl.DataFrame(checked_records(read_json(path)), infer_schema_length=None, strict=False).lazy()
    raise FileError("a manifest is written, not read: give a table of votes or labels")


def checked_records(content: Any) -> list[dict[str, Any]]:
    """Return JSON content that is a list of objects, or raise an error."""
    if not (isinstance(content, list) and content and all(isinstance(row, dict) for row in content)):
        raise FileError('this JSON is not a list of rows: give [{"task": ..., "worker": ..., "label": ...}, ...]')
    return content


def refuse_mixed_rows(rows: Iterable[tuple[int, dict[str, Any]]], kinds: dict[str, str | None]) -> None:
    """Raise an error if a column of numbered JSON rows holds both text and other values: all would become text.

    kinds: columns to check -> the kind of their values, None if it is not known yet.
    """
    kinds = dict(kinds)
    for number, row in rows:
        for name, previous in kinds.items():
            kind = _kind(row.get(name))
            if kind and (kind == "structure" or kind != (previous or kind)):
                message = f"column {name!r} mixes {previous or kind} and {kind} (row {number}): use one kind"
                raise VotesError(message)
            kinds[name] = previous or kind


def odd_lines(path: Path, columns: Collection[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the numbered lines of a JSONL file in which one of the columns may hold something other than text."""
    lines = read_bytes(path).removeprefix(codecs.BOM_UTF8).splitlines()
    names = b"|".join(re.escape(json.dumps(name)[1:-1].encode()) for name in columns)
    odd = re.compile(rb'"(?:%s)"\s*:\s*[^"\sn]' % names)
    for number, line in enumerate(lines, start=1):
        if odd.search(line):
            yield number, json.loads(line)


def _kind(value: Any) -> str | None:
    if value is None:
        return None
    if isinstance(value, bool):
        return "truth values"
    if isinstance(value, int | float):
        return "numbers"
    return "text" if isinstance(value, str) else "structure"


def read_table(path: Path) -> pl.DataFrame:
    """Read a whole table, as `scan_table` returns it."""
    with explaining(path):
        return scan_table(path).collect()


def read_columns(table: pl.LazyFrame, wanted: list[str], few_values: Collection[str | None]) -> pl.DataFrame:
    """Return the wanted columns of a table, in one pass; text with few values is encoded as categories on the way.

    The other columns are read too, since polars notices a row with too many fields only if it reads them all.
    """
    schema = table.collect_schema()
    columns = [
        pl.col(name).cast(pl.Categorical) if name in few_values and schema[name] == pl.String else pl.col(name)
        for name in wanted
    ]
    if set(schema) > set(wanted):
        columns.append(pl.any_horizontal(pl.exclude(wanted).is_null().any()).alias(REST))
    # The rest is dropped after reading: before, polars would skip reading what is not needed.
    return table.select(columns).collect(engine="streaming").drop(REST, strict=False)


@contextmanager
def explaining(path: Path) -> Iterator[None]:
    """Raise an error that names the faulty row if polars cannot read a CSV file."""
    try:
        yield
    except pl.exceptions.ComputeError:
        if format_of(path) in ("csv", "tsv"):
            _explain_csv(path, "\t" if format_of(path) == "tsv" else ",")
        raise


def _explain_csv(path: Path, separator: str) -> None:
    """Raise an error that says what is wrong with the rows of a CSV file, if that can be determined."""
    text = read_bytes(path).decode("utf-8-sig")
    with io.StringIO(text, newline="") as lines, suppress(csv.Error):
        rows = csv.reader(lines, delimiter=separator)
        width = len(next(rows, []))
        for number, row in enumerate(rows, start=1):
            if len(row) > width:
                raise FileError(
                    f"row {number} has {len(row)} fields, but the header has {width}: "
                    "quote fields that contain a separator, and close every quote"
                )
    if text.count('"') % 2:
        raise FileError("a quote is opened and never closed: close it, or double a quote that belongs to the text")


def write_table(table: pl.DataFrame, path: Path) -> None:
    """Write a table in the format of the suffix."""
    kind = format_of(path)
    if kind == "ground_truth":
        raise FileError(f"{path.name}: a manifest holds the consensus only: choose another format for this table")
    with replacing(path) as temporary:
        if kind == "parquet":
            table.write_parquet(temporary)
        elif kind == "arrow":
            table.write_ipc(temporary)
        else:
            with gzip.open(temporary, "wb") if is_gzipped(path) else temporary.open("wb") as out:
                _write_text(table, kind, out)


def _write_text(table: pl.DataFrame, kind: str, out: Any) -> None:
    if kind == "jsonl":
        table.write_ndjson(out)
    elif kind == "json":
        out.write(table.write_json().encode("utf-8"))
    else:
        table.write_csv(out, separator="\t" if kind == "tsv" else ",")


def _scan_csv(path: Path, separator: str) -> pl.LazyFrame:
    if not is_gzipped(path):
        require_utf8_mark(path)
    table = pl.scan_csv(read_bytes(path) if is_gzipped(path) else path, separator=separator, infer_schema=False)
    names = table.collect_schema().names()
    if any("\0" in name for name in names):
        raise FileError("this is not text in UTF-8 (it holds NUL bytes): save it as CSV in UTF-8")
    doubled = [name.removesuffix("_duplicated_0") for name in names if name.endswith("_duplicated_0")]
    if doubled and doubled[0] in names:
        raise FileError(f"the header names column {doubled[0]!r} twice: rename one")
    return table
