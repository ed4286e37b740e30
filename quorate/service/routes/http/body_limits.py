"""Limits on the size of request bodies, by route, checked before a body is parsed.

A body whose announced length is too large is refused at once; one of unknown length (chunked), as soon as it has become
too large. More than 64 KiB are read only from authenticated callers, since JSON takes thirty times its size while it is
parsed, and FastAPI parses it before a handler identifies the caller. A connection whose request was not read to the end
is closed after the response: to use it again, the rest of the body would have to be read.
"""

import asyncio
import math
import re
from collections.abc import Sequence
from contextlib import suppress
from typing import TypeAlias

from fastapi import HTTPException, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse
from sqlalchemy.exc import OperationalError
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from quorate.service.errors import ServiceError, TooLarge
from quorate.service.routes.http.authentication import identify
from quorate.service.routes.http.errors import busy, refused

SMALL = 64 * 1024  # bytes, for routes that the table does not list: sign-in, accounts, tokens, and those without a body
WORK = 1024**2
PREVIEW = 64 * 1024**2  # the first megabyte of a table is enough
LEFT_UNREAD = 64 * 1024  # bytes that uvicorn may read and discard by itself, so that a connection can be kept

# A client that is still sending when its connection is closed may lose the response: part of the body is discarded.
DISCARDED = 1024**2
DISCARDING_SECONDS = 2.0

_PROJECT = r"/api/projects/[^/]+"
_WORK_ROUTES = (
    rf"POST {_PROJECT}/(next|votes|votes/[^/]+/amend|leases/heartbeat|leases/return|consent|state)"
    rf"|POST {_PROJECT}/(items/[^/]+/(relabel|reopen|expert)|webhooks|webhooks/[^/]+/state)"
)
_JSON_ROUTES = (
    rf"POST {_PROJECT}/(items|classify|classify/batch|door/links|settings/preview)"
    rf"|PUT {_PROJECT}/settings|POST /api/(projects|forecast)"
)

Table: TypeAlias = Sequence[tuple[re.Pattern[str], int]]


def limits_by_route(*, json_bytes: int, upload_bytes: int) -> Table:
    """Return the patterns of methods and paths, each with its limit in bytes."""
    return (
        (re.compile(_WORK_ROUTES), WORK),
        (re.compile(_JSON_ROUTES), json_bytes),
        (re.compile(rf"POST {_PROJECT}/imports"), upload_bytes),
        (re.compile("POST /api/look"), min(PREVIEW, upload_bytes)),
    )


def limit_of(table: Table, method: str, path: str) -> int:
    """Return how many bytes the body of a request may have.

    >>> table = limits_by_route(json_bytes=4_000_000, upload_bytes=4_000_000_000)
    >>> limit_of(table, "POST", "/api/projects/7/imports"), limit_of(table, "POST", "/api/session")
    (4000000000, 65536)
    """
    request = f"{method} {path}"
    return next((limit for pattern, limit in table if pattern.fullmatch(request)), SMALL)


class BodyLimits:
    """Refuse bodies that are too large. Plain ASGI, since every vote passes here."""

    def __init__(self, app: ASGIApp, *, json_bytes: int, upload_bytes: int) -> None:
        self.app = app
        self.table = limits_by_route(json_bytes=json_bytes, upload_bytes=upload_bytes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, unless it is too large, or too large for an unknown caller."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        limit = limit_of(self.table, scope["method"], scope["path"])
        body = _Body(scope, receive, send, limit)
        refusal: JSONResponse | None = None
        if limit < body.length < math.inf:
            refusal = refused(Request(scope), body.too_large())
        elif min(limit, body.length) > SMALL:
            refusal = await run_in_threadpool(_unless_known, Request(scope))
        await (refusal or self.app)(scope, body.receive, body.send)


def _unless_known(request: Request) -> JSONResponse | None:
    """Return a refusal if the caller cannot be identified."""
    try:
        with request.app.state.store.read() as connection:
            identify(connection, request)
    except ServiceError as error:
        return refused(request, error)
    except OperationalError as error:
        return busy(request, error)
    return None


class _Body:
    """Body of a request as it arrives, and the response, which may end the connection."""

    def __init__(self, scope: Scope, receive: Receive, send: Send, limit: int) -> None:
        self.limit = limit
        self.length = _announced_length(scope)
        self._receive, self._send = receive, send
        self._received, self._ended, self._closing = 0, False, False

    def too_large(self) -> TooLarge:
        """Return the error for a body that is too large."""
        return TooLarge(
            f"the body of this request is larger than {self.limit:,} bytes, the limit here: "
            "send less in one request, or split the file"
        )

    async def receive(self) -> Message:
        """Return the next part of the body; raise an error if the body has become too large."""
        message = await self._next_part()
        if self._received > self.limit:
            error = self.too_large()
            raise HTTPException(error.status, str(error))  # the only kind of error that FastAPI passes on from here
        return message

    async def send(self, message: Message) -> None:
        """Send a part of the response; after the last one, end the connection if much of the body was not read."""
        if message["type"] == "http.response.start":
            self._closing = not self._ended and self.length - self._received > LEFT_UNREAD
            if self._closing:
                message["headers"] = [*message.get("headers", ()), (b"connection", b"close")]
        if self._closing and message["type"] == "http.response.body" and not message.get("more_body", False):
            await self._send({**message, "more_body": True})
            await self._discard()
            message = {"type": "http.response.body", "body": b""}
        await self._send(message)

    async def _next_part(self) -> Message:
        message = await self._receive()
        self._received += len(message.get("body", b""))
        self._ended = not message.get("more_body", False)  # also when the client has gone
        return message

    async def _discard(self) -> None:
        """Read a part of what is left, so that the client gets to read the answer before the connection ends."""
        most = self._received + DISCARDED
        with suppress(TimeoutError):
            async with asyncio.timeout(DISCARDING_SECONDS):
                while not self._ended and self._received < most:
                    await self._next_part()


def _announced_length(scope: Scope) -> float:
    """Return the announced length of the body; infinite if the client does not announce it."""
    headers = dict(scope["headers"])
    if b"content-length" in headers:
        return float(headers[b"content-length"])  # digits only: the server refuses anything else
    return math.inf if b"transfer-encoding" in headers else 0
