"""A folder of images and audio files, with its subfolders: one item per file, whose relative path is its key."""

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from quorate.errors import FileError
from quorate.service.imports.columns import Columns
from quorate.service.imports.parse_table import ReadOptions
from quorate.service.imports.row_parser import RowParser
from quorate.service.items.rows import AUDIO, IMAGE, BadRow, Limits, Row, RowError, Rows
from quorate.service.media import is_audio

COLUMNS = ("key", "folder")  # the folder of a file may be its gold label


def read(path: Path, options: ReadOptions) -> Rows:
    """Yield the items of a folder on this machine, sorted by name. Links are not followed."""
    if not path.is_dir():
        raise FileError(f"{path} is not a folder")
    parser = FileParser(options)
    for number, file in enumerate(_list_files(path), start=1):
        name = file.relative_to(path).as_posix()
        try:
            data = _read_bytes(file, name, options.limits)
        except (RowError, OSError) as error:
            yield BadRow(number, f"{name}: {error}")
        else:
            yield parser.parse(number, name, data)


def _list_files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if is_hidden(path.name):
            continue
        if path.is_dir() and not path.is_symlink():
            yield from _list_files(path)
        else:
            yield path


def _read_bytes(file: Path, name: str, limits: Limits) -> bytes:
    if file.is_symlink() or not file.is_file():
        raise RowError("links and special files are not read")
    if file.stat().st_size > max_bytes(name, limits):
        raise RowError(f"the file is larger than {max_bytes(name, limits):,} bytes")
    return file.read_bytes()


def is_hidden(name: str) -> bool:
    """Return whether a file belongs to the operating system, and is not an item."""
    return name.startswith(".") or name in ("__MACOSX", "Thumbs.db", "desktop.ini")


def max_bytes(name: str, limits: Limits) -> int:
    """Return the maximum size of a file of this name."""
    return limits.audio if is_audio(name) else limits.image


class FileParser:
    """A parser of files into items, for folders and zips."""

    def __init__(self, options: ReadOptions) -> None:
        columns = Columns(key="key", gold=options.columns.gold).resolve(COLUMNS)
        self._parser = RowParser(columns, (), options.name, options.limits, options.media)

    def parse(self, number: int, name: str, data: bytes) -> Row | BadRow:
        """Return the item of a file, or what is wrong with it."""
        kind = AUDIO if is_audio(name) else IMAGE
        cells = {"key": name, "folder": PurePosixPath(name).parent.name}
        try:
            key = self._parser.check_text("the path", name, self._parser.limits.key)
            content = {"media": self._parser.save_media(kind, data)}
            return Row(number, key, kind, content, None, self._parser.gold_labels(cells))
        except RowError as error:
            return BadRow(number, f"{name[:200]}: {error}")
