"""Tables on disk: CSV, TSV, JSONL, Parquet, Arrow. Text columns stay text, so that an id such as 007 survives."""

import gzip
from collections.abc import Collection
from pathlib import Path
from typing import Any

import polars as pl

from quorate.io.files import format_of, read_bytes, read_json, replacing, require_utf8_mark


def scan_table(path: Path) -> pl.LazyFrame:
    """A table from a file, its format told by the suffix; CSV and TSV columns all as text. Read when it is used."""
    kind = format_of(path)
    if kind in ("csv", "tsv"):
        return pl.scan_csv(_source(path), separator="\t" if kind == "tsv" else ",", infer_schema=False)
    if kind == "jsonl":
        return pl.read_ndjson(_source(path), infer_schema_length=None).lazy()
    if kind == "parquet":
        return pl.scan_parquet(path)
    if kind == "arrow":
        return pl.scan_ipc(path)
    return pl.DataFrame(read_json(path), infer_schema_length=None).lazy()


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
    others = pl.len() if set(schema) <= set(wanted) else pl.sum_horizontal(pl.exclude(wanted).null_count())
    return table.select(*columns, others.alias("")).drop("").collect(engine="streaming")


def write_table(table: pl.DataFrame, path: Path) -> None:
    """Write a table in the format that the suffix names."""
    kind = format_of(path)
    with replacing(path) as temporary:
        if kind == "parquet":
            table.write_parquet(temporary)
        elif kind == "arrow":
            table.write_ipc(temporary)
        elif kind == "json":
            temporary.write_text(table.write_json(), encoding="utf-8")
        else:
            with gzip.open(temporary, "wb") if path.suffix == ".gz" else temporary.open("wb") as out:
                _write_text(table, kind, out)


def _write_text(table: pl.DataFrame, kind: str, out: Any) -> None:
    if kind == "jsonl":
        table.write_ndjson(out)
    else:
        table.write_csv(out, separator="\t" if kind == "tsv" else ",")


def _source(path: Path) -> Path | bytes:
    if path.suffix == ".gz":
        return read_bytes(path)
    require_utf8_mark(path)
    return path
