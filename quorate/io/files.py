"""Paths, suffixes and safe hands: what can go wrong with a file becomes one clear line, and nothing is half-written."""

import codecs
import gzip
import json
import os
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl

from quorate.errors import FileError, QuorateError, VotesError

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
    """Name of a file's format by its suffix, a final .gz passed over.

    >>> format_of(Path("votes.csv.gz"))
    'csv'
    """
    suffix = Path(path.stem).suffix if path.suffix == ".gz" else path.suffix
    if suffix.lower() not in FORMATS:
        known = ", ".join(FORMATS)
        raise FileError(
            f"{path.name}: cannot tell the format from its name: use one of {known}, or .gz after a text one"
        )
    return FORMATS[suffix.lower()]


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn whatever goes wrong while reading a file into a QuorateError of one line that starts with its name."""
    try:
        if not path.stat().st_size:
            raise FileError("the file is empty: it needs a header and at least one row")
        yield
    except QuorateError as error:
        kind = VotesError if isinstance(error, VotesError) else FileError
        raise kind(f"{path.name}: {error}") from None
    except FileNotFoundError:
        raise FileError(f"{path}: there is no such file") from None
    except UnicodeDecodeError as error:
        raise FileError(f"{path.name}: {_not_utf8(error.object[error.start])}") from None
    except json.JSONDecodeError as error:
        raise FileError(f"{path.name}: not valid JSON (line {error.lineno}: {error.msg}): export it again") from None
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise FileError(f"{path.name}: the gzip file is cut short or damaged: copy or download it again") from None
    except (OSError, pl.exceptions.PolarsError) as error:
        raise FileError(f"{path.name}: {_explain(path, error)}") from None


def require_folder(path: Path) -> None:
    """Refuse a path whose folder is not there; asked before long work as well as when writing."""
    if not path.parent.is_dir():
        raise FileError(f"{path}: there is no folder {path.parent}: make it first")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary path to write to, which takes the place of `path` when all went well, and else leaves no trace."""
    require_folder(path)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except OSError as error:
        raise FileError(f"{path}: cannot be written: {error.strerror or error}") from None
    finally:
        temporary.unlink(missing_ok=True)


def require_utf8_mark(path: Path) -> None:
    """Refuse text that begins with the mark of UTF-16, which would else be read as nonsense."""
    with path.open("rb") as file:
        start = file.read(2)
    if start in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        raise FileError(_not_utf8(start[0]))


def read_json(path: Path) -> Any:
    """The content of a JSON file, plain or gzipped."""
    return json.loads(read_bytes(path).decode("utf-8-sig"))


def read_bytes(path: Path) -> bytes:
    """The bytes of a file, unzipped where its name ends in .gz."""
    content = path.read_bytes()
    return gzip.decompress(content) if path.suffix == ".gz" else content


def _explain(path: Path, error: Exception) -> str:
    """One line for what polars or the system said, with the cause named where it is a known one."""
    text = " ".join(str(error).split())
    if "utf" in text.lower():
        return _not_utf8(None)
    if isinstance(error, OSError):
        return f"cannot be read: {error.strerror or text}"
    return f"cannot be read as {format_of(path)}: {text[:200]}"


def _not_utf8(byte: int | None) -> str:
    what = "" if byte is None else f" (byte {byte:#04x})"
    return f"the text is not UTF-8{what}: convert it, such as with `iconv -f latin1 (or utf-16) -t utf-8 OLD > NEW`"


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
