"""A folder of images and sounds, with what is inside it: one item per file, whose path there is its key."""

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from quorate.errors import FileError
from quorate.service.imports.columns import Columns
from quorate.service.imports.row_maker import RowMaker
from quorate.service.imports.table import Reading, numbered
from quorate.service.items.rows import AUDIO, IMAGE, BadRow, Limits, Row, RowError, Rows
from quorate.service.media import is_sound

COLUMNS = ("key", "folder")  # `folder` may be named as gold: the folder that a file is in


def read(path: Path, reading: Reading) -> Rows:
    """The items of a folder on this machine, in the order of their names. Links are not followed."""
    if not path.is_dir():
        raise FileError(f"{path} is not a folder")
    item = FileItem(reading)
    for number, file in numbered(_files(path)):
        name = file.relative_to(path).as_posix()
        try:
            data = _bytes(file, name, reading.limits)
        except (RowError, OSError) as error:
            yield BadRow(number, f"{name}: {error}")
        else:
            yield item.make(number, name, data)


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if hidden(path.name):
            continue
        if path.is_dir() and not path.is_symlink():
            yield from _files(path)
        else:
            yield path


def _bytes(file: Path, name: str, limits: Limits) -> bytes:
    if file.is_symlink() or not file.is_file():
        raise RowError("a link or special file is not read")
    if file.stat().st_size > largest(name, limits):
        raise RowError(f"the file is larger than {largest(name, limits):,} bytes")
    return file.read_bytes()


def hidden(name: str) -> bool:
    """Whether a file is a system's own, and no item."""
    return name.startswith(".") or name in ("__MACOSX", "Thumbs.db", "desktop.ini")


def largest(name: str, limits: Limits) -> int:
    """How many bytes a file of this name may have."""
    return limits.audio if is_sound(name) else limits.image


class FileItem:
    """Makes items of files, whether they come from a folder or a zip."""

    def __init__(self, reading: Reading) -> None:
        columns = Columns(key="key", gold=reading.columns.gold).found_in(COLUMNS)
        self._maker = RowMaker(columns, (), reading.name, reading.limits, reading.media)

    def make(self, number: int, name: str, data: bytes) -> Row | BadRow:
        """The item of a file."""
        kind = AUDIO if is_sound(name) else IMAGE
        cells = {"key": name, "folder": PurePosixPath(name).parent.name}
        try:
            key = self._maker.checked("the path", name, self._maker.limits.key)
            return Row(number, key, kind, {"media": self._maker.saved(kind, data)}, None, self._maker.gold(cells))
        except RowError as error:
            return BadRow(number, f"{name[:200]}: {error}")
