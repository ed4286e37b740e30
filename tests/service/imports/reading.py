"""Files for tests, and how they are read."""

import io
from pathlib import Path

from PIL import Image

from quorate.service.imports.columns import Columns
from quorate.service.imports.formats import read_items
from quorate.service.imports.parse_table import ReadOptions
from quorate.service.items.rows import BadRow, Limits, Row
from quorate.service.media import Media


def read(
    folder: Path, data: bytes | str, name: str, *, columns: Columns | None = None, limits: Limits | None = None
) -> list[Row | BadRow]:
    """Return the rows of a file with this content."""
    path = folder / "upload"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    options = ReadOptions(
        columns=columns or Columns(), limits=limits or Limits(), media=Media(folder / "data"), name="up"
    )
    return list(read_items(path, name, options))


def png(colour: int = 0, size: tuple[int, int] = (4, 4)) -> bytes:
    file = io.BytesIO()
    Image.new("L", size, colour).save(file, "PNG")
    return file.getvalue()


def good(rows: list[Row | BadRow]) -> list[Row]:
    return [row for row in rows if isinstance(row, Row)]


def bad(rows: list[Row | BadRow]) -> dict[int, str]:
    return {row.number: row.message for row in rows if isinstance(row, BadRow)}
