"""Around every request: its id, one line in the log, its place in the metrics, and an answer where we failed.

The line names the route, never the path itself, its query or a body: those may hold links and signatures.
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
SANE = re.compile(rb"[A-Za-z0-9._-]{8,64}")
GONE = 499  # the client left before the answer
logger = logging.getLogger("quorate.requests")


class RequestLog:
    """Plain ASGI, since every vote passes here."""

    def __init__(self, app: ASGIApp, metrics: RequestMetrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, and note how it went."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        answer = _Answer(send, _id_of(scope))
        token = REQUEST_ID.set(answer.request_id.decode())
        try:
            await self.app(scope, receive, answer.send)
        except Exception:
            logger.exception("a request failed", extra={FIELDS: {"route": route_of(scope)}})
            await answer.fail()
        finally:
            self._note(scope, answer)
            REQUEST_ID.reset(token)

    def _note(self, scope: Scope, answer: "_Answer") -> None:
        method, route = _method(scope["method"]), route_of(scope)
        taken = perf_counter() - answer.started
        self.metrics.record(method, route, answer.status, answer.began or taken)
        if logger.isEnabledFor(logging.INFO):
            fields = {
                "method": method,
                "route": route,
                "status": answer.status,
                "milliseconds": round(taken * 1000, 2),
                "who": _who(scope),
            }
            logger.info("request", extra={FIELDS: fields})


class _Answer:
    """What was sent back so far."""

    def __init__(self, send: Send, request_id: bytes) -> None:
        self.pass_on = send
        self.request_id = request_id
        self.status = GONE
        self.began = 0.0  # seconds until the answer began
        self.started = perf_counter()

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.began = perf_counter() - self.started
            message["headers"] = [*message.get("headers", ()), (HEADER, self.request_id)]
        await self.pass_on(message)

    async def fail(self) -> None:
        """Answer in place of what failed; a body that had begun stays cut, which the client notices."""
        if self.began:
            return
        words = f"this is a fault of the service, not of your request; its log has it as {self.request_id.decode()}"
        body = orjson.dumps({"error": words})
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await self.send({"type": "http.response.start", "status": 500, "headers": headers})
        await self.send({"type": "http.response.body", "body": body})


def route_of(scope: Scope) -> str:
    """The template of the route, such as /api/projects/{project_id}/votes; a dash where none matched."""
    context = scope.get("fastapi", {}).get("effective_route_context")  # with the prefixes of routers, where it is told
    route: Any = context if context is not None else scope.get("route")
    return getattr(route, "path", None) or "-"


def _method(method: str) -> str:
    return method if method in _METHODS else "-"


_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def _id_of(scope: Scope) -> bytes:
    """What the client calls this request, if that is short and plain; else a new id."""
    for name, value in scope["headers"]:
        if name == HEADER and SANE.fullmatch(value):
            return bytes(value)
    return secrets.token_hex(8).encode()


def _who(scope: Scope) -> str:
    """Whom `request.state.who` names, by number."""
    who = scope.get("state", {}).get("who")
    if who is None:
        return "-"
    return f"account:{who.account_id}" if who.voter_id is None else f"voter:{who.voter_id}"
