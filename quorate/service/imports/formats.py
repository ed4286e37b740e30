"""The formats by name, and which one a file's name suggests."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

from quorate.errors import FileError, UnknownNameError
from quorate.service.imports.readers import read_csv as from_csv
from quorate.service.imports.readers import read_folder as from_folder
from quorate.service.imports.readers import read_jsonl as from_jsonl
from quorate.service.imports.readers import read_label_studio as from_label_studio
from quorate.service.imports.readers import read_parquet as from_parquet
from quorate.service.imports.readers import read_urls as from_urls
from quorate.service.imports.readers import read_zip as from_zip
from quorate.service.imports.table import Reading
from quorate.service.items.rows import Rows

Reader: TypeAlias = Callable[[Path, Reading], Rows]

UPLOADED: Mapping[str, Reader] = {
    "csv": from_csv.read,
    "jsonl": from_jsonl.read,
    "parquet": from_parquet.read,
    "zip": from_zip.read,
    "label_studio": from_label_studio.read,
    "urls": from_urls.read,
}
READERS: Mapping[str, Reader] = {**UPLOADED, "folder": from_folder.read}  # a folder is on this machine, never uploaded

ENDINGS = {
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
    """The format that a file's ending suggests.

    >>> format_of("Reviews.CSV"), format_of("cats.zip")
    ('csv', 'zip')
    """
    ending = Path(file_name).suffix.lower()
    if ending not in ENDINGS:
        raise FileError(f"the format of {file_name!r} is not known by its ending: name one of {', '.join(UPLOADED)}")
    return ENDINGS[ending]


def read_items(path: Path, format_name: str, reading: Reading) -> Rows:
    """The items of a file, one at a time; what is wrong with a row is a BadRow, with the file itself an error."""
    if format_name not in READERS:
        raise UnknownNameError(f"there is no format {format_name!r}: the formats are {', '.join(READERS)}")
    return READERS[format_name](path, reading)
