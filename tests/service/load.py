"""Voters who vote over HTTP until they are stopped, or the server is gone."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from quorate.service.accounts.credentials import new_voter_session
from quorate.service.store.database import Store
from quorate.service.store.migrations import migrate
from tests.service.pools import make_project, make_voters
from tests.service.waiting import PATIENCE, until


def crowd(data: Path, n_items: int = 3000, n_voters: int = 3) -> tuple[int, list[str]]:
    """Create a project in a new data folder; return its id and the sessions of its voters."""
    data.mkdir(mode=0o700)
    store = Store.open(f"sqlite:///{data / 'quorate.db'}")
    migrate(store)
    project_id = make_project(store, n_items)
    voters = make_voters(store, project_id, n_voters)
    with store.write() as connection:
        sessions = [new_voter_session(connection, voter, project_id, store.clock()) for voter in voters]
    store.close()
    return project_id, sessions


@dataclass
class Load:
    """The keys of votes that were acknowledged so far, and the problems."""

    acknowledged: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    def wait_for(self, n: int) -> None:
        """Wait until n votes were acknowledged."""
        until(lambda: len(self.acknowledged) >= n or bool(self.problems), f"{n} votes")
        assert not self.problems


@contextmanager
def voting(url: str, project_id: int, sessions: list[str]) -> Iterator[Load]:
    """Send votes from threads during the block; yield what was acknowledged."""
    load = Load()
    threads = [threading.Thread(target=_vote, args=(load, url, project_id, session)) for session in sessions]
    for thread in threads:
        thread.start()
    try:
        yield load
    finally:
        load.over.set()
        for thread in threads:
            thread.join()


def _vote(load: Load, url: str, project_id: int, session: str) -> None:
    headers = {"Authorization": f"Bearer {session}"}
    with httpx.Client(base_url=f"{url}/api/projects/{project_id}", headers=headers, timeout=PATIENCE) as client:
        while not load.over.is_set():
            try:
                _vote_batch(load, client)
            except httpx.TransportError:
                return  # the server was killed: what was not acknowledged may be there or not


def _vote_batch(load: Load, client: httpx.Client) -> None:
    answer = client.post("/next", json={"n": 5})
    if answer.status_code == 429:
        load.over.wait(float(answer.headers["Retry-After"]))
        return
    if answer.status_code != 200:
        load.problems.append(answer.text)
        load.over.set()
        return
    if not answer.json()["leases"]:
        load.over.wait(0.1)
        return
    leases = [row["lease"] for row in answer.json()["leases"]]
    votes = [{"lease": lease, "key": f"k{lease}", "label": "cat"} for lease in leases]
    answer = client.post("/votes", json={"votes": votes})
    if answer.status_code == 200:
        load.acknowledged += [row["key"] for row in answer.json()["votes"] if row["outcome"] == "counted"]
    elif answer.status_code != 429:
        load.problems.append(answer.text)
        load.over.set()
