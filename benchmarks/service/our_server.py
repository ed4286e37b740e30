"""The service as users start it, `quorate serve`, and a worker who uses it."""

import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.service.pools import ACCURACY, LABELS, truth_of
from benchmarks.service.server_process import JsonConnection, Server, free_port, start
from quorate.service.config import DATABASE
from quorate.service.store.database import Store
from quorate.service.store.migrations import migrate

START_SECONDS = 60.0
READY = "/readyz"


@contextmanager
def open_store(folder: Path, url: str | None = None) -> Iterator[Store]:
    """Open and migrate the database of a data folder or URL."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    store = Store.open(url or f"sqlite:///{folder / DATABASE}")
    migrate(store)
    yield store
    store.close()


def launch(folder: Path, *, url: str | None = None, processes: int = 1, learner: bool = True) -> Server:
    """Start the service, and return before it is ready."""
    port = free_port()
    command = [sys.executable, "-m", "quorate", "serve", "--data", str(folder), "--port", str(port)]
    command += ["--processes", str(processes), *([] if learner else ["--no-learner"])]
    return start(command, port, folder / "serve.log", {} if url is None else {"QUORATE_DATABASE_URL": url})


@contextmanager
def run_service(folder: Path, *, url: str | None = None, processes: int = 1, learner: bool = True) -> Iterator[Server]:
    """Run the service, and yield it when it is ready."""
    server = launch(folder, url=url, processes=processes, learner=learner)
    try:
        server.wait(READY, seconds=START_SECONDS)
        yield server
    finally:
        server.stop()


@dataclass
class Worker:
    """A worker who is right most of the time. acknowledged: keys of the votes that the service has confirmed."""

    connection: JsonConnection
    project: int
    rng: np.random.Generator
    acknowledged: list[str] = field(default_factory=list)

    @classmethod
    def at(cls, port: int, project: int, session: str, seed: int) -> "Worker":
        """Connect a worker with a session."""
        return cls(JsonConnection(port, {"Authorization": f"Bearer {session}"}), project, np.random.default_rng(seed))

    def next(self, n: int) -> list[dict[str, Any]]:
        """Request leases, and return them; none if there is no work now."""
        leases: list[dict[str, Any]] = self.connection.request_ok(
            "POST", f"/api/projects/{self.project}/next", {"n": n}
        )["leases"]
        return leases

    def answers(self, leases: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return votes on leased items."""
        is_right = self.rng.random(len(leases)) < ACCURACY
        truth = [truth_of(lease["item"]["content"]["text"]) for lease in leases]
        return [
            {
                "lease": lease["lease"],
                "key": uuid.uuid4().hex,
                "label": LABELS[label if right else 1 - label],
                "seconds": 1.5,
            }
            for lease, label, right in zip(leases, truth, is_right, strict=True)
        ]

    def submit(self, votes: list[dict[str, Any]], n_next: int = 0) -> list[dict[str, Any]]:
        """Send votes, note those that are acknowledged, and return up to n_next new leases."""
        body = {"votes": votes, "next": n_next} if n_next else {"votes": votes}
        response = self.connection.request_ok("POST", f"/api/projects/{self.project}/votes", body)
        self.acknowledged += [vote["key"] for vote in response["votes"] if vote["outcome"] in ("counted", "repeated")]
        leases: list[dict[str, Any]] = (response.get("next") or {}).get("leases", [])
        return leases
