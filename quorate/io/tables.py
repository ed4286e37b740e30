"""Tables on disk: CSV, TSV, JSONL, Parquet, Arrow. Text columns stay text, so that an id such as 007 survives."""

import gzip
from pathlib import Path
from typing import Any

import polars as pl

from quorate.io.files import format_of, read_bytes, read_json, replacing


def read_table(path: Path) -> pl.DataFrame:
    """A table from a file, its format told by the suffix; CSV and TSV columns all as text."""
    kind = format_of(path)
    if kind in ("csv", "tsv"):
        return pl.read_csv(_source(path), separator="\t" if kind == "tsv" else ",", infer_schema=False)
    if kind == "jsonl":
        return pl.read_ndjson(_source(path), infer_schema_length=None)
    if kind == "parquet":
        return pl.read_parquet(path)
    if kind == "arrow":
        return pl.read_ipc(path)
    return pl.DataFrame(read_json(path), infer_schema_length=None)


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
    return read_bytes(path) if path.suffix == ".gz" else path
