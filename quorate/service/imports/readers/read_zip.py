"""A zip of images and sounds. Nothing is unpacked under its own name, and nothing is believed about its size."""

import stat
import struct
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from quorate.errors import FileError
from quorate.service.imports.readers.read_folder import FileItem, hidden, largest
from quorate.service.imports.table import Reading, numbered
from quorate.service.items.rows import BadRow, Limits, RowError, Rows

DIRECTORY_ENTRY = 300  # bytes that a file takes in a zip's directory, at most on average


def read(path: Path, reading: Reading) -> Rows:
    """The items of a zip, in the order of its directory."""
    return _rows(_opened(path, reading.limits), reading)


def names_of(path: Path) -> list[str]:
    """The names of the files in a zip."""
    with _opened(path, Limits()) as archive:
        names = [entry.filename for entry in archive.infolist() if not _skipped(entry)]
    return [name if name.isprintable() else ascii(name)[1:-1] for name in names]


def _opened(path: Path, limits: Limits) -> zipfile.ZipFile:
    _check_directory(path, limits)
    try:
        return zipfile.ZipFile(path)
    except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError) as error:
        raise FileError(f"not a zip that can be read ({error})") from None


def _rows(archive: zipfile.ZipFile, reading: Reading) -> Rows:
    item, left = FileItem(reading), reading.limits.unpacked
    with archive:
        for number, entry in numbered(entry for entry in archive.infolist() if not _skipped(entry)):
            try:
                _check_entry(entry)
                data = _bytes(archive, entry, min(left, largest(entry.filename, reading.limits)))
            except RowError as error:
                yield BadRow(number, f"{ascii(entry.filename)[1:-1][:200]}: {error}")
            else:
                left -= len(data)
                yield item.make(number, entry.filename, data)


def _skipped(entry: zipfile.ZipInfo) -> bool:
    return entry.filename.endswith("/") or any(  # is_dir() fails where a name is empty
        hidden(part) and not part.startswith("..") for part in PurePosixPath(entry.filename).parts
    )


def _check_entry(entry: zipfile.ZipInfo) -> None:
    """A path that leads outside, a link or a locked file is refused, although nothing is written under its name."""
    name = entry.filename
    if not name:
        raise RowError("the file has no name")
    if name.startswith("/") or "\\" in name or ":" in name or ".." in PurePosixPath(name).parts:
        raise RowError("the path leads outside of the zip")
    if stat.S_ISLNK(entry.external_attr >> 16):
        raise RowError("a link is not read")
    if entry.flag_bits & 1:
        raise RowError("the file is locked with a password")


def _bytes(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, limit: int) -> bytes:
    """What is inside, read no further than the limit: the size that a zip states may be a lie."""
    try:
        with archive.open(entry) as file:
            data = file.read(limit + 1)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, OSError, EOFError, RuntimeError, ValueError) as error:
        raise RowError(f"the file cannot be unpacked ({error})") from None
    if len(data) > limit:
        raise RowError(f"the file unpacks to more than {limit:,} bytes")
    return data


def _check_directory(path: Path, limits: Limits) -> None:
    """Refuse a huge directory before it is read: zipfile would hold all of it in memory."""
    size = path.stat().st_size
    with path.open("rb") as file:
        file.seek(max(0, size - 70_000))
        tail = file.read()
    place = tail.rfind(b"PK\x05\x06")
    large = tail.rfind(b"PK\x06\x06")
    directory = struct.unpack_from("<L", tail, place + 12)[0] if 0 <= place <= len(tail) - 22 else 0
    if directory == 0xFFFFFFFF and 0 <= large <= len(tail) - 48:
        directory = struct.unpack_from("<Q", tail, large + 40)[0]
    if directory > limits.entries * DIRECTORY_ENTRY:
        raise FileError(f"the zip holds more than {limits.entries:,} files: split it")
