"""A minimal server for votes: http.server and sqlite3 of Python, a lease and a vote, nothing more.

The yardstick of hot_path: its CPU time shows by how much other work slows the machine down.
"""

import json
import sqlite3
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

TABLES = """
CREATE TABLE items (id INTEGER PRIMARY KEY, text TEXT, room INTEGER, draw REAL);
CREATE INDEX to_ask ON items (draw) WHERE room > 0;
CREATE TABLE leases (id INTEGER PRIMARY KEY, item INTEGER, worker INTEGER, ends REAL);
CREATE TABLE votes (id INTEGER PRIMARY KEY, item INTEGER, worker INTEGER, label INTEGER, key TEXT UNIQUE);
"""


def fill(path: Path, n_items: int) -> None:
    """Create a pool of n_items items."""
    with sqlite3.connect(path) as database:
        database.executescript(TABLES)
        rows = ((row, f"short text number {row}", 3, (row * 7919) % n_items) for row in range(n_items))
        database.executemany("INSERT INTO items VALUES (?, ?, ?, ?)", rows)


class Handler(BaseHTTPRequestHandler):
    """GET /health, POST /next and POST /vote."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1  # headers and body go out together
    database: sqlite3.Connection

    def do_GET(self) -> None:
        """Respond to a health check."""
        self._respond({})

    def do_POST(self) -> None:
        """Lease an item, or store a vote."""
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self._respond(self._next(request["worker"]) if self.path == "/next" else self._vote(request))

    def _next(self, worker: int) -> dict[str, Any]:
        with self.database as transaction:
            find = "SELECT id, text FROM items WHERE room > 0 ORDER BY draw LIMIT 1"
            item, text = transaction.execute(find).fetchone()
            transaction.execute("UPDATE items SET room = room - 1 WHERE id = ?", (item,))
            add = "INSERT INTO leases (item, worker, ends) VALUES (?, ?, 0) RETURNING id"
            lease = transaction.execute(add, (item, worker)).fetchone()[0]
        return {"lease": lease, "item": item, "text": text}

    def _vote(self, request: dict[str, Any]) -> dict[str, Any]:
        with self.database as transaction:
            end = "DELETE FROM leases WHERE id = ? RETURNING item, worker"
            item, worker = transaction.execute(end, (request["lease"],)).fetchone()
            add = "INSERT INTO votes (item, worker, label, key) VALUES (?, ?, ?, ?) RETURNING id"
            vote = transaction.execute(add, (item, worker, request["label"], request["key"])).fetchone()[0]
        return {"vote": vote}

    def _respond(self, content: dict[str, Any]) -> None:
        body = json.dumps(content).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Discard log messages."""


def serve(database: str, port: str) -> None:
    """Serve a pool until the process is stopped."""
    Handler.database = sqlite3.connect(database)
    Handler.database.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;")
    HTTPServer(("127.0.0.1", int(port)), Handler).serve_forever()
