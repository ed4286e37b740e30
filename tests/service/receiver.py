"""A server on loopback that receives webhooks, and checks their signatures by itself."""

import base64
import hashlib
import hmac
import json
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Receiver:
    """What came, and what is answered: the status of each call in turn, then 204."""

    url: str = ""
    statuses: list[int] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)  # sent with each answer
    body: bytes = b""
    calls: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    hold: Callable[[], object] | None = None  # called before the answer
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def messages(self) -> list[dict[str, Any]]:
        return [json.loads(body) for _, body in self.calls]

    def is_signed(self, call: int, secret: str) -> bool:
        """Whether a call is signed as the specification of Standard Webhooks says."""
        headers, body = self.calls[call]
        key = base64.b64decode(secret[len("whsec_") :], validate=True)
        assert 24 <= len(key) <= 64
        content = b".".join([headers["webhook-id"].encode(), headers["webhook-timestamp"].encode(), body])
        right = base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
        return headers["webhook-signature"].split(" ") == [f"v1,{right}"]


@contextmanager
def receiving(context: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    """A receiver that listens, over TLS where a context is given."""
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            with receiver.lock:
                receiver.calls.append(({name.lower(): value for name, value in self.headers.items()}, body))
                status = receiver.statuses.pop(0) if receiver.statuses else 204
            if receiver.hold is not None:
                receiver.hold()
            self._answer(status)

        def do_GET(self) -> None:
            with receiver.lock:
                receiver.calls.append(({"method": "GET"}, b"{}"))
            self._answer(200)

        def _answer(self, status: int) -> None:
            self.send_response(status)
            for name, value in receiver.headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(receiver.body)))
            self.end_headers()
            self.wfile.write(receiver.body)

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        request_queue_size = 128  # the usual five are too few for senders that call at once

        def handle_error(self, *_: object) -> None:
            pass  # a caller that hung up

    server = Server(("127.0.0.1", 0), Handler)
    if context is not None:
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    receiver.url = f"http://127.0.0.1:{server.server_address[1]}/hook"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
