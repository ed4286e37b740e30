"""Middleware around every request: its id, a line in the log, its metrics, and the response to internal errors.

The line names the route, never the path, query or body, which may contain links and signatures.
"""

import logging
import re
import secrets
from time import perf_counter
from typing import Any

import orjson
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from quorate.service.logs import FIELDS, REQUEST_ID
from quorate.service.monitoring.prometheus import RequestMetrics

HEADER = b"x-request-id"
VALID_ID = re.compile(rb"[A-Za-z0-9._-]{8,64}")
DISCONNECTED = 499  # the client left before the response
logger = logging.getLogger("quorate.requests")


class RequestLog:
    """Middleware in plain ASGI, since every vote passes here."""

    def __init__(self, app: ASGIApp, metrics: RequestMetrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, then log and count it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        response = _Response(send, _id_of(scope))
        token = REQUEST_ID.set(response.request_id.decode())
        try:
            await self.app(scope, receive, response.send)
        except Exception:
            logger.exception("request failed", extra={FIELDS: {"route": route_of(scope)}})
            await response.fail()
        finally:
            self._record(scope, response)
            REQUEST_ID.reset(token)

    def _record(self, scope: Scope, response: "_Response") -> None:
        method, route = _method(scope["method"]), route_of(scope)
        seconds = perf_counter() - response.started
        self.metrics.record(method, route, response.status, response.began or seconds)
        if logger.isEnabledFor(logging.INFO):
            fields = {
                "method": method,
                "route": route,
                "status": response.status,
                "milliseconds": round(seconds * 1000, 2),
                "who": _who(scope),
            }
            logger.info("request", extra={FIELDS: fields})


class _Response:
    """Response as far as it was sent."""

    def __init__(self, send: Send, request_id: bytes) -> None:
        self.pass_on = send
        self.request_id = request_id
        self.status = DISCONNECTED
        self.began = 0.0  # seconds until the response began
        self.started = perf_counter()

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.began = perf_counter() - self.started
            message["headers"] = [*message.get("headers", ()), (HEADER, self.request_id)]
        await self.pass_on(message)

    async def fail(self) -> None:
        """Send an error, unless the response has begun: then it stays incomplete, which the client notices."""
        if self.began:
            return
        body = orjson.dumps({"error": f"internal error (reference {self.request_id.decode()})"})
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await self.send({"type": "http.response.start", "status": 500, "headers": headers})
        await self.send({"type": "http.response.body", "body": body})


def route_of(scope: Scope) -> str:
    """Return the template of the route, such as /api/projects/{project_id}/votes; a dash if none matched."""
    context = scope.get("fastapi", {}).get("effective_route_context")  # with the prefixes of routers, if set
    route: Any = context if context is not None else scope.get("route")
    return getattr(route, "path", None) or "-"


def _method(method: str) -> str:
    return method if method in _METHODS else "-"


_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def _id_of(scope: Scope) -> bytes:
    """Return the id that the client gave to the request, if it is valid; otherwise a new one."""
    for name, value in scope["headers"]:
        if name == HEADER and VALID_ID.fullmatch(value):
            return bytes(value)
    return secrets.token_hex(8).encode()


def _who(scope: Scope) -> str:
    """Return the id of the account or voter in `request.state.who`."""
    who = scope.get("state", {}).get("who")
    if who is None:
        return "-"
    return f"account:{who.account_id}" if who.voter_id is None else f"voter:{who.voter_id}"
