"""A real HTTP server that returns the prepared responses of a test in order, and records its requests."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

HANG_UP = 0  # in place of a status: the connection is closed without a response


@dataclass
class Stub:
    """answers: (status, body, headers), in order. asked: (method, path, body, headers) of each request."""

    answers: list[tuple[int, Any, dict[str, str]]] = field(default_factory=list)
    asked: list[tuple[str, str, Any, dict[str, str]]] = field(default_factory=list)
    url: str = ""

    def say(self, status: int, body: Any = None, **headers: str) -> None:
        self.answers.append((status, body, {name.replace("_", "-"): value for name, value in headers.items()}))


@contextmanager
def serving() -> Iterator[Stub]:
    stub = Stub()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_any(self) -> None:
            content = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            try:
                body = json.loads(content) if content else None
            except ValueError:
                body = content
            stub.asked.append((self.command, self.path, body, dict(self.headers)))
            status, answer, headers = stub.answers.pop(0)
            if status == HANG_UP:
                self.close_connection = True
                return
            sent = answer if isinstance(answer, bytes) else b"" if answer is None else json.dumps(answer).encode()
            self.send_response(status)
            for name, value in {"Content-Length": str(len(sent)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(sent)

        do_GET = do_POST = do_PUT = do_DELETE = handle_any  # noqa: N815

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    stub.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield stub
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
