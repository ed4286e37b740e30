"""Tables on disk: CSV, TSV, JSONL, Parquet, Arrow. Text columns stay text, so that an id such as 007 survives."""

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

REST = "\0rest"  # the name of no column in any file


def scan_table(path: Path) -> pl.LazyFrame:
    """A table from a file, its format told by the suffix; CSV and TSV columns all as text. Read when it is used."""
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
    """JSON content that is a list of objects, or an error."""
    if not (isinstance(content, list) and content and all(isinstance(row, dict) for row in content)):
        raise FileError('this JSON is not a list of rows: give [{"task": ..., "worker": ..., "label": ...}, ...]')
    return content


def refuse_mixed_rows(rows: Iterable[tuple[int, dict[str, Any]]], kinds: dict[str, str | None]) -> None:
    """Refuse JSON rows (numbered) in which a column holds now text, now something else: it would all become text.

    kinds: what each column to look at holds, where that is known already.
    """
    kinds = dict(kinds)
    for number, row in rows:
        for name, known in kinds.items():
            kind = _kind(row.get(name))
            if kind and (kind == "structure" or kind != (known or kind)):
                raise VotesError(f"column {name!r} mixes {known or kind} and {kind} (row {number}): keep to one kind")
            kinds[name] = known or kind


def odd_lines(path: Path, columns: Collection[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The lines of a JSONL file in which one of the columns may hold something else than text."""
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
    """A whole table, as scan_table finds it."""
    with explaining(path):
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


@contextmanager
def explaining(path: Path) -> Iterator[None]:
    """Where polars cannot read a CSV file, say which row is to blame."""
    try:
        yield
    except pl.exceptions.ComputeError:
        if format_of(path) in ("csv", "tsv"):
            _explain_csv(path, "\t" if format_of(path) == "tsv" else ",")
        raise


def _explain_csv(path: Path, separator: str) -> None:
    """Find what is wrong with the rows of a CSV file, and say so; nothing where nothing is found."""
    text = read_bytes(path).decode("utf-8-sig")
    with io.StringIO(text, newline="") as lines, suppress(csv.Error):
        rows = csv.reader(lines, delimiter=separator)
        width = len(next(rows, []))
        for number, row in enumerate(rows, start=1):
            if len(row) > width:
                raise FileError(
                    f"row {number} has {len(row)} fields, but the header has {width}: "
                    "put quotes around what contains a separator, and close every quote"
                )
    if text.count('"') % 2:
        raise FileError("a quote is opened and never closed: close it, or double a quote that is meant as such")


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
