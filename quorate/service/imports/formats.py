"""The formats of files by name, and the format that a file name suggests."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

from quorate.errors import FileError, UnknownNameError
from quorate.service.imports.parse_table import ReadOptions
from quorate.service.imports.readers import (
    read_csv,
    read_folder,
    read_jsonl,
    read_label_studio,
    read_parquet,
    read_urls,
    read_zip,
)
from quorate.service.items.rows import Rows

Reader: TypeAlias = Callable[[Path, ReadOptions], Rows]

UPLOAD_READERS: Mapping[str, Reader] = {
    "csv": read_csv.read,
    "jsonl": read_jsonl.read,
    "parquet": read_parquet.read,
    "zip": read_zip.read,
    "label_studio": read_label_studio.read,
    "urls": read_urls.read,
}
READERS: Mapping[str, Reader] = {**UPLOAD_READERS, "folder": read_folder.read}  # a folder on this machine

EXTENSIONS = {
    ".csv": "csv",
    ".tsv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".manifest": "jsonl",
    ".parquet": "parquet",
    ".zip": "zip",
    ".json": "label_studio",
    ".txt": "urls",
}


def format_of(file_name: str) -> str:
    """Return the format that the extension of a file suggests.

    >>> format_of("Reviews.CSV"), format_of("cats.zip")
    ('csv', 'zip')
    """
    extension = Path(file_name).suffix.lower()
    if extension not in EXTENSIONS:
        formats = ", ".join(UPLOAD_READERS)
        raise FileError(f"the extension of {file_name!r} suggests no format: name one of {formats}")
    return EXTENSIONS[extension]


def read_items(path: Path, format_name: str, options: ReadOptions) -> Rows:
    """Yield the items of a file. A row that cannot be used is a BadRow; an unusable file raises an error."""
    if format_name not in READERS:
        raise UnknownNameError(f"there is no format {format_name!r}: the formats are {', '.join(READERS)}")
    return READERS[format_name](path, options)
