"""Exports of a project: streamed to a file, or read row by row."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from quorate.client.connection import Connection
from quorate.client.errors import ClientError
from quorate.client.responses import Json

What = Literal["items", "votes", "workers", "payments", "decisions"]


@dataclass(frozen=True)
class Exports:
    """What came of a project; however large, little of it is in memory at a time."""

    connection: Connection

    def save(self, project: int, what: What, path: Path | str, *, form: str | None = None) -> None:
        """Write to a file, whose suffix names the format: csv, jsonl, parquet, ..."""
        path = Path(path)
        save_stream(self.connection, _path(project, what, form or path.suffix.removeprefix(".")), path)

    def rows(self, project: int, what: What) -> Iterator[Json]:
        """Row by row."""
        with self.connection.stream(_path(project, what, "jsonl")) as pieces:
            for line in _lines(pieces):
                yield json.loads(line)


def save_stream(connection: Connection, address: str, path: Path) -> None:
    """Write what comes from an address to a file; where it breaks off, no file is left and none is overwritten."""
    partial = path.with_name(f"{path.name}.part")
    try:
        with connection.stream(address) as pieces, partial.open("wb") as file:
            for piece in pieces:
                file.write(piece)
        partial.replace(path)
    except OSError as error:
        raise ClientError(f"{path} cannot be written: {error.strerror or error}") from None
    finally:
        partial.unlink(missing_ok=True)


def _path(project: int, what: What, form: str) -> str:
    return f"/api/projects/{project}/exports/{what}.{form}"


def _lines(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Whole lines out of pieces that end anywhere.

    >>> list(_lines(iter([b"a", b"b\\nc", b"\\n"])))
    [b'ab', b'c']
    """
    rest = b""
    for piece in pieces:
        *whole, rest = (rest + piece).split(b"\n")
        yield from whole
    if rest:
        yield rest
