"""Requests as no well-behaved client sends them: over a plain socket, byte by byte, for tests."""

import select
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tests.service.waiting import PATIENCE

PIECE = 16 * 1024


@dataclass
class BytesRead:
    """Counts the bytes of bodies that an app asks the server for. Added last to an app, it sees what all others see.

    before_answer: those that were read before the answer began.
    """

    total: int = 0
    before_answer: int = 0

    def counting(self, app: ASGIApp) -> ASGIApp:
        async def counted(scope: Scope, receive: Receive, send: Send) -> None:
            async def count() -> Message:
                message = await receive()
                self.total += len(message.get("body", b""))
                return message

            async def note(message: Message) -> None:
                if message["type"] == "http.response.start":
                    self.before_answer = self.total
                await send(message)

            await app(scope, count, note)

        return counted


@contextmanager
def connected(url: str) -> Iterator[socket.socket]:
    """A connection to a server."""
    parts = urlsplit(url)
    with socket.create_connection((parts.hostname, parts.port), timeout=PATIENCE) as connection:
        yield connection


def head(method: str, path: str, *headers: str) -> bytes:
    """The lines before the body."""
    lines = (f"{method} {path} HTTP/1.1", "Host: test", "Content-Type: application/json", *headers)
    return "\r\n".join((*lines, "", "")).encode()


def chunks(size: int) -> Iterator[bytes]:
    """A chunked body of n bytes, in pieces."""
    for _ in range(size // PIECE):
        yield b"%x\r\n%b\r\n" % (PIECE, b" " * PIECE)
    yield b"0\r\n\r\n"


def plain(size: int) -> Iterator[bytes]:
    """A body of n bytes, in pieces."""
    for _ in range(size // PIECE):
        yield b" " * PIECE


def send_until_answered(connection: socket.socket, pieces: Iterator[bytes]) -> int:
    """Send a body until it ends or an answer comes; how many bytes were sent."""
    sent = 0
    with suppress(ConnectionResetError, BrokenPipeError):
        for piece in pieces:
            if select.select([connection], [], [], 0)[0]:
                break
            connection.sendall(piece)
            sent += len(piece)
    return sent


def read_to_end(connection: socket.socket) -> bytes:
    """All that the server sends until the connection ends. It has been notified that nothing more will come."""
    with suppress(OSError):  # the server may have closed it already
        connection.shutdown(socket.SHUT_WR)
    return read_until_closed(connection)


def read_until_closed(connection: socket.socket) -> bytes:
    """All that the server sends until it ends the connection, with or without a reset."""
    answer = b""
    with suppress(ConnectionResetError):
        while piece := connection.recv(PIECE):
            answer += piece
    return answer


def read_head(connection: socket.socket) -> bytes:
    """The first lines of an answer, up to the empty one."""
    answer = b""
    while b"\r\n\r\n" not in answer and (piece := connection.recv(1)):
        answer += piece
    return answer
