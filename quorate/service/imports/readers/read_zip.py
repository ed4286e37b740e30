"""A zip of images and audio files. Nothing is unpacked under its own name, and no stated size is trusted."""

import stat
import struct
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from quorate.errors import FileError
from quorate.service.imports.parse_table import ReadOptions
from quorate.service.imports.readers.read_folder import FileParser, is_hidden, max_bytes
from quorate.service.items.rows import BadRow, Limits, RowError, Rows

DIRECTORY_ENTRY = 300  # bytes of a file in the directory of a zip; the average may not be larger


def read(path: Path, options: ReadOptions) -> Rows:
    """Yield the items of a zip, in the order of its directory."""
    return _read_rows(_open(path, options.limits), options)


def file_names(path: Path) -> list[str]:
    """Return the names of the files in a zip."""
    with _open(path, Limits()) as archive:
        names = [entry.filename for entry in archive.infolist() if not _is_skipped(entry)]
    return [name if name.isprintable() else ascii(name)[1:-1] for name in names]


def _open(path: Path, limits: Limits) -> zipfile.ZipFile:
    _check_directory(path, limits)
    try:
        return zipfile.ZipFile(path)
    except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError) as error:
        raise FileError(f"not a zip that can be read ({error})") from None


def _read_rows(archive: zipfile.ZipFile, options: ReadOptions) -> Rows:
    parser, remaining = FileParser(options), options.limits.unpacked
    with archive:
        entries = (entry for entry in archive.infolist() if not _is_skipped(entry))
        for number, entry in enumerate(entries, start=1):
            try:
                _check_entry(entry)
                data = _read_bytes(archive, entry, min(remaining, max_bytes(entry.filename, options.limits)))
            except RowError as error:
                yield BadRow(number, f"{ascii(entry.filename)[1:-1][:200]}: {error}")
            else:
                remaining -= len(data)
                yield parser.parse(number, entry.filename, data)


def _is_skipped(entry: zipfile.ZipInfo) -> bool:
    return entry.filename.endswith("/") or any(  # is_dir() fails for an empty name
        is_hidden(part) and not part.startswith("..") for part in PurePosixPath(entry.filename).parts
    )


def _check_entry(entry: zipfile.ZipInfo) -> None:
    """Refuse a path that leads outside, a link or an encrypted file, although nothing is written under its name."""
    name = entry.filename
    if not name:
        raise RowError("the file has no name")
    if name.startswith("/") or "\\" in name or ":" in name or ".." in PurePosixPath(name).parts:
        raise RowError("the path leads outside of the zip")
    if stat.S_ISLNK(entry.external_attr >> 16):
        raise RowError("links are not read")
    if entry.flag_bits & 1:
        raise RowError("the file is encrypted")


def _read_bytes(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, limit: int) -> bytes:
    """Return the content, read no further than the limit: the size that a zip states may be wrong."""
    try:
        with archive.open(entry) as file:
            data = file.read(limit + 1)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, OSError, EOFError, RuntimeError, ValueError) as error:
        raise RowError(f"the file cannot be unpacked ({error})") from None
    if len(data) > limit:
        raise RowError(f"the file unpacks to more than {limit:,} bytes")
    return data


def _check_directory(path: Path, limits: Limits) -> None:
    """Refuse a very large directory before it is read: zipfile would hold all of it in memory."""
    size = path.stat().st_size
    with path.open("rb") as file:
        file.seek(max(0, size - 70_000))
        tail = file.read()
    end_record = tail.rfind(b"PK\x05\x06")
    zip64_record = tail.rfind(b"PK\x06\x06")
    directory = struct.unpack_from("<L", tail, end_record + 12)[0] if 0 <= end_record <= len(tail) - 22 else 0
    if directory == 0xFFFFFFFF and 0 <= zip64_record <= len(tail) - 48:
        directory = struct.unpack_from("<Q", tail, zip64_record + 40)[0]
    if directory > limits.entries * DIRECTORY_ENTRY:
        raise FileError(f"the zip contains more than {limits.entries:,} files: split it")
