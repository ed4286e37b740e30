"""File formats by suffix."""

from pathlib import Path

from quorate.errors import FileError

FORMATS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".json": "json",
    ".manifest": "ground_truth",
}


def format_of(path: Path) -> str:
    """Return the name of a file's format, by its suffix before any .gz.

    >>> format_of(Path("votes.csv.gz"))
    'csv'
    """
    suffix = Path(path.stem).suffix if is_gzipped(path) else path.suffix
    if path.is_dir():
        raise FileError(f"{path.name or path}: this is a folder: name a file")
    if suffix.lower() not in FORMATS:
        suffixes = ", ".join(FORMATS)
        raise FileError(f"{path.name}: cannot tell the format by its name: use one of {suffixes} (text also with .gz)")
    if is_gzipped(path) and FORMATS[suffix.lower()] in ("parquet", "arrow"):
        raise FileError(f"{path.name}: {suffix} files are compressed already: name it without .gz")
    return FORMATS[suffix.lower()]


def is_gzipped(path: Path) -> bool:
    """Return whether a file is gzipped, by its name."""
    return path.suffix.lower() == ".gz"
