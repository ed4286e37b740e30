"""Safe reading and writing: errors of files become one clear line, and no file is left half-written."""

import codecs
import gzip
import json
import tempfile
import zlib
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl

from quorate.data.columns import MissingColumnError
from quorate.errors import FileError, QuorateError, VotesError
from quorate.io.formats.suffixes import format_of, is_gzipped

READ_ERRORS = (
    OSError,
    EOFError,
    zlib.error,
    UnicodeError,
    json.JSONDecodeError,
    RecursionError,
    pl.exceptions.PolarsError,
)


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn every error in reading a file into a QuorateError of one line that starts with its name."""
    try:
        if not path.stat().st_size:
            raise FileError("the file is empty: it needs a header and at least one row")
        yield
    except MissingColumnError as error:
        raise error.in_file(str(path.name or path)) from None
    except QuorateError as error:
        kind = VotesError if isinstance(error, VotesError) else FileError
        name = path.name or path
        raise kind(f"{name}: {str(error).removeprefix(f'{name}: ')}") from None
    except FileNotFoundError:
        raise FileError(f"{path}: there is no such file") from None
    except READ_ERRORS as error:
        raise FileError(f"{path.name}: {_explain(path, error)}") from None


def require_folder(path: Path) -> None:
    """Raise an error if the folder of a path does not exist; call it before long work, not only when writing."""
    if not path.parent.is_dir():
        raise FileError(f"{path}: there is no folder {path.parent}: make it first")


def require_writable(path: Path) -> None:
    """Raise an error if the folder of a path does not exist or is not writable; call it before long work."""
    require_folder(path)
    try:
        tempfile.TemporaryDirectory(dir=path.parent, prefix=".quorate-").cleanup()
    except OSError as error:
        raise FileError(f"{path}: cannot be written: {error.strerror or error}: choose another folder") from None


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary path to write to; it replaces `path` at the end, and is removed if there was an error."""
    require_folder(path)
    try:
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".quorate-") as folder:
            temporary = Path(folder) / "written"
            yield temporary
            temporary.replace(path)
    except FileError:
        raise
    except OSError as error:
        raise FileError(f"{path}: cannot be written: {error.strerror or error}") from None
    except pl.exceptions.PolarsError as error:
        raise FileError(f"{path}: cannot be written: {_first_line(error)}") from None


def require_replaceable(path: Path, names: Collection[str]) -> None:
    """Raise an error if a folder cannot be created, or holds anything but files of these names."""
    require_folder(path)
    if path.exists() and not (path.is_dir() and {inside.name for inside in path.iterdir()} <= set(names)):
        raise FileError(f"{path}: the path exists and holds something else: name a new folder")


@contextmanager
def replacing_folder(path: Path, names: Collection[str]) -> Iterator[Path]:
    """Yield a temporary folder to write files to; it replaces `path` at the end, unless there was an error.

    An existing folder is replaced only if it holds nothing but files of these names.
    """
    require_replaceable(path, names)
    try:
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".quorate-") as folder:
            temporary = Path(folder) / "written"
            temporary.mkdir()
            yield temporary
            if path.exists():
                path.rename(Path(folder) / "older")  # a folder cannot be renamed onto one that is not empty
            temporary.rename(path)
    except FileError:
        raise
    except OSError as error:
        raise FileError(f"{path}: cannot be written: {error.strerror or error}") from None


def write_text(text: str, path: Path) -> None:
    """Write text, gzipped if the name ends in .gz."""
    write_bytes(text.encode("utf-8"), path)


def write_bytes(content: bytes, path: Path) -> None:
    """Write bytes, gzipped if the name ends in .gz."""
    with replacing(path) as temporary:
        temporary.write_bytes(gzip.compress(content) if is_gzipped(path) else content)


def require_utf8_mark(path: Path) -> None:
    """Raise an error if text begins with the byte order mark of UTF-16, which would be read as nonsense."""
    with path.open("rb") as file:
        start = file.read(2)
    if start in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        raise FileError(_not_utf8())


def read_json(path: Path) -> Any:
    """Return the content of a JSON file, plain or gzipped."""
    return json.loads(read_bytes(path).decode("utf-8-sig"))


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a file, decompressed if its name ends in .gz."""
    content = path.read_bytes()
    return gzip.decompress(content) if is_gzipped(path) else content


def _explain(path: Path, error: Exception) -> str:
    """Describe an error of the system, polars or a decoder in one line, with advice for common causes."""
    text = _first_line(error)
    if isinstance(error, json.JSONDecodeError):
        return f"not valid JSON (line {error.lineno}: {error.msg}): export it again"
    if isinstance(error, UnicodeError) or "utf" in text.lower():
        return _not_utf8()
    if isinstance(error, RecursionError):
        return "the JSON is nested too deeply to hold votes"
    if isinstance(error, gzip.BadGzipFile) and "Not a gzipped" in text:
        return "this is not a gzip file: name it without .gz"
    if isinstance(error, EOFError | zlib.error | gzip.BadGzipFile):
        return "the gzip file is cut short or damaged: copy or download it again"
    if isinstance(error, OSError):
        return f"cannot be read: {error.strerror or text}"
    return f"cannot be read as {format_of(path)}, is it damaged? ({text[:200]})"


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [""])[0]


def _not_utf8() -> str:
    return "the text is not UTF-8: convert it, such as with `iconv -f latin1 (or utf-16) -t utf-8 OLD > NEW`"
