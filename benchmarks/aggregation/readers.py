"""Ways to read a vote file into integer codes and names. A part of benchmarks/aggregation/speed.py."""

from collections.abc import Callable
from typing import Any

from benchmarks.harness import report_child

COLUMNS = ("task", "worker", "label")
Coded = list[tuple[Any, Any]]


def quorate(path: str) -> Any:
    import quorate

    return quorate.read_votes(path)


def pandas_csv(path: str) -> Coded:
    """Read with the pyarrow engine, the fastest of pandas."""
    import pandas as pd

    frame = pd.read_csv(path, engine="pyarrow")
    return [_factorized(frame[name]) for name in COLUMNS]


def pandas_parquet(path: str) -> Coded:
    import pandas as pd

    frame = pd.read_parquet(path)
    return [_factorized(frame[name]) for name in COLUMNS]


def pyarrow_csv(path: str, block_size: int | None = None) -> Coded:
    import pyarrow as pa
    from pyarrow import csv

    options = csv.ConvertOptions(column_types={name: pa.dictionary(pa.int32(), pa.string()) for name in COLUMNS})
    table = csv.read_csv(path, convert_options=options, read_options=csv.ReadOptions(block_size=block_size))
    return _from_dictionaries(table)


def pyarrow_csv_large_blocks(path: str) -> Coded:
    return pyarrow_csv(path, block_size=16 << 20)


def pyarrow_parquet(path: str) -> Coded:
    from pyarrow import parquet

    return _from_dictionaries(parquet.read_table(path, read_dictionary=list(COLUMNS)))


def polars_csv(path: str) -> Coded:
    import polars as pl

    return _from_enums(pl.read_csv(path, infer_schema=False))


def polars_parquet(path: str) -> Coded:
    import polars as pl

    return _from_enums(pl.read_parquet(path))


PEERS: dict[str, list[Callable[[str], Coded]]] = {
    "csv": [pandas_csv, pyarrow_csv, pyarrow_csv_large_blocks, polars_csv],
    "parquet": [pandas_parquet, pyarrow_parquet, polars_parquet],
}


def _factorized(column: Any) -> tuple[Any, Any]:
    codes, names = column.factorize()
    return codes, names.to_numpy()


def _from_dictionaries(table: Any) -> Coded:
    chunks = [table.column(name).unify_dictionaries() for name in COLUMNS]
    coded = []
    for column in chunks:
        whole = column.combine_chunks()
        coded.append((whole.indices.to_numpy(), whole.dictionary.to_numpy(zero_copy_only=False)))
    return coded


def _from_enums(frame: Any) -> Coded:
    import polars as pl

    coded = []
    for name in COLUMNS:
        names = frame[name].unique(maintain_order=True)
        coded.append((frame[name].cast(pl.Enum(names)).to_physical().to_numpy(), names.to_numpy()))
    return coded


def report(reader: str, path: str, small: str) -> None:
    """Read a small file, which loads what is loaded once, then the file; print seconds and megabytes."""
    readers: dict[str, Callable[[str], Any]] = {
        reader_function.__name__: reader_function for peers in PEERS.values() for reader_function in peers
    }
    chosen = {**readers, "quorate": quorate}[reader]
    chosen(small)
    report_child(lambda: chosen(path))
