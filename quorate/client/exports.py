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
    """Exports of a project, streamed so that they may be larger than memory."""

    connection: Connection

    def save(self, project: int, what: What, path: Path | str, *, form: str | None = None) -> None:
        """Write an export to a file.

        Args:
            project: number of the project.
            what: which table to export.
            path: file to write.
            form: format, such as csv, jsonl or parquet; by default the suffix of the file.
        """
        path = Path(path)
        save_stream(self.connection, _path(project, what, form or path.suffix.removeprefix(".")), path)

    def rows(self, project: int, what: What) -> Iterator[Json]:
        """Yield the rows of an export."""
        with self.connection.stream(_path(project, what, "jsonl")) as chunks:
            for line in _lines(chunks):
                yield json.loads(line)


def save_stream(connection: Connection, address: str, path: Path) -> None:
    """Stream an address to a file; if the stream is interrupted, no file is written or overwritten.

    Args:
        connection: connection to the service.
        address: path of the route.
        path: file to write.
    """
    partial = path.with_name(f"{path.name}.part")
    try:
        with connection.stream(address) as chunks, partial.open("wb") as file:
            for chunk in chunks:
                file.write(chunk)
        partial.replace(path)
    except OSError as error:
        raise ClientError(f"{path} cannot be written: {error.strerror or error}") from None
    finally:
        partial.unlink(missing_ok=True)


def _path(project: int, what: What, form: str) -> str:
    return f"/api/projects/{project}/exports/{what}.{form}"


def _lines(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the lines of a stream of chunks.

    >>> list(_lines(iter([b"a", b"b\\nc", b"\\n"])))
    [b'ab', b'c']
    """
    rest = b""
    for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines
    if rest:
        yield rest
