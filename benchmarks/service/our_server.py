"""Our service as its users start it, `quorate serve`, and a worker at it."""

import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.service.pools import ACCURACY, LABELS, truth_of
from benchmarks.service.server_process import Server, Talk, free_port, start
from quorate.service.config import DATABASE
from quorate.service.store.database import Store
from quorate.service.store.migrations import migrate

START_SECONDS = 60.0
READY = "/readyz"


@contextmanager
def opened(folder: Path, url: str | None = None) -> Iterator[Store]:
    """The database of a data folder, or that of a URL, with its tables."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    store = Store.open(url or f"sqlite:///{folder / DATABASE}")
    migrate(store)
    yield store
    store.close()


def launch(folder: Path, *, url: str | None = None, processes: int = 1, learner: bool = True) -> Server:
    """Start it; it may not answer yet."""
    port = free_port()
    command = [sys.executable, "-m", "quorate", "serve", "--data", str(folder), "--port", str(port)]
    command += ["--processes", str(processes), *([] if learner else ["--no-learner"])]
    return start(command, port, folder / "serve.log", {} if url is None else {"QUORATE_DATABASE_URL": url})


@contextmanager
def serving(folder: Path, *, url: str | None = None, processes: int = 1, learner: bool = True) -> Iterator[Server]:
    """It runs meanwhile."""
    server = launch(folder, url=url, processes=processes, learner=learner)
    try:
        server.wait(READY, seconds=START_SECONDS)
        yield server
    finally:
        server.stop()


@dataclass
class Worker:
    """Somebody who is right most of the time. acknowledged: the keys of the votes that the service said it has."""

    talk: Talk
    project: int
    rng: np.random.Generator
    acknowledged: list[str] = field(default_factory=list)

    @classmethod
    def at(cls, port: int, project: int, session: str, seed: int) -> "Worker":
        """A worker with a session."""
        return cls(Talk(port, {"Authorization": f"Bearer {session}"}), project, np.random.default_rng(seed))

    def next(self, n: int) -> list[dict[str, Any]]:
        """What is leased; nothing where there is no work now."""
        leases: list[dict[str, Any]] = self.talk.must("POST", f"/api/projects/{self.project}/next", {"n": n})["leases"]
        return leases

    def answers(self, leases: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Votes on what is leased."""
        right = self.rng.random(len(leases)) < ACCURACY
        truth = [truth_of(one["item"]["content"]["text"]) for one in leases]
        return [
            {
                "lease": one["lease"],
                "key": uuid.uuid4().hex,
                "label": LABELS[label if ok else 1 - label],
                "seconds": 1.5,
            }
            for one, label, ok in zip(leases, truth, right, strict=True)
        ]

    def submit(self, votes: list[dict[str, Any]], then: int = 0) -> list[dict[str, Any]]:
        """Send votes, and keep those that are acknowledged. then: how many leases to get in the same answer."""
        sent = {"votes": votes, "next": then} if then else {"votes": votes}
        answer = self.talk.must("POST", f"/api/projects/{self.project}/votes", sent)
        self.acknowledged += [one["key"] for one in answer["votes"] if one["outcome"] in ("counted", "repeated")]
        leases: list[dict[str, Any]] = (answer.get("next") or {}).get("leases", [])
        return leases
