"""Server-sent events over real HTTP."""

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import ValidationError

from quorate.service.accounts.credentials import new_session, new_voter_session
from quorate.service.app import create_app
from quorate.service.config import Settings
from quorate.service.schemas import OverviewOut
from quorate.service.store.database import Store
from quorate.service.streams.streams import Pace, Streams
from tests.service.people import new_account
from tests.service.pools import ask, make_project, make_voters, vote
from tests.service.serving import SECRET, served
from tests.service.waiting import PATIENCE, until


@dataclass
class Service:
    client: httpx.Client
    streams: Streams


@pytest.fixture
def service(store: Store) -> Iterator[Service]:
    app = create_app(store, Settings(), SECRET)
    app.state.streams = Streams(store, Pace(poll=0.01, heartbeat=0.05))
    owner = new_account(store)
    with store.write() as connection:
        headers = {"Authorization": f"Bearer {new_session(connection, owner, store.clock())}"}
    with served(app) as address, httpx.Client(base_url=address, headers=headers, timeout=PATIENCE) as client:
        yield Service(client, app.state.streams)
        app.state.streams.close()


def events(lines: Iterator[str]) -> Iterator[tuple[str, Any]]:
    """Yield the names and data of the events of a stream, as a browser reads them."""
    name = ""
    for line in lines:
        field, _, value = line.partition(": ")
        if field == "event":
            name = value
        elif field == "data":
            yield name, json.loads(value)


def vote_on(store: Store, voter: int) -> None:
    vote(store, voter, ask(store, voter).leases[0].id, "dog")


def next_decision(lines: Iterator[str]) -> dict[str, Any]:
    return next(data for name, data in events(lines) if name == "decision")


def test_decisions_come_as_they_are_made_and_after_the_last_that_was_heard(store: Store, service: Service) -> None:
    project = make_project(store, 2)
    *others, last = make_voters(store, project, 3)  # whose vote is the third on each item
    for voter in others * 2:
        vote_on(store, voter)
    path = f"/api/projects/{project}/stream"
    with service.client.stream("GET", path) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert (answer.headers["cache-control"], answer.headers["x-accel-buffering"]) == ("no-store", "no")
        lines = answer.iter_lines()
        assert next(events(lines))[0] == "overview"
        vote_on(store, last)
        first = next_decision(lines)
    vote_on(store, last)
    with service.client.stream("GET", path, headers={"Last-Event-ID": str(first["id"])}) as answer:
        decisions = (data for name, data in events(answer.iter_lines()) if name == "decision")
        second = next(decision for decision in decisions if decision["id"] > first["id"])
    assert {first["item"], second["item"]} == {"0", "1"}


def test_the_overview_is_the_same_by_stream_and_by_request(store: Store, service: Service) -> None:
    project = make_project(store, 1)
    asked = service.client.get(f"/api/projects/{project}/overview").json()
    with service.client.stream("GET", f"/api/projects/{project}/stream") as answer:
        name, streamed = next(events(answer.iter_lines()))
    assert name == "overview"
    assert streamed == asked
    assert OverviewOut.model_validate(streamed).model_dump() == streamed
    assert OverviewOut.model_validate(streamed).created_at == store.clock()


def test_an_overview_without_the_time_of_creation_is_invalid(store: Store, service: Service) -> None:
    asked = service.client.get(f"/api/projects/{make_project(store, 1)}/overview").json()
    with pytest.raises(ValidationError, match="created_at"):
        OverviewOut.model_validate({name: value for name, value in asked.items() if name != "created_at"})


def test_signs_of_life_keep_the_line_open_and_a_listener_that_left_is_forgotten(store: Store, service: Service) -> None:
    project = make_project(store, 1)
    with service.client.stream("GET", f"/api/projects/{project}/stream") as answer:
        lines = answer.iter_lines()  # the line is closed where nobody holds this any more
        assert ": still here" in lines
        assert service.streams.listeners == 1
    until(lambda: not service.streams.listeners, "the server notices")


def test_closing_ends_streams_so_that_the_server_can_stop(store: Store, service: Service) -> None:
    project = make_project(store, 1)
    with service.client.stream("GET", f"/api/projects/{project}/stream") as answer:
        lines = answer.iter_lines()
        next(lines)
        service.streams.close()
        assert not any(line.startswith("event: decision") for line in lines)  # reads to the clean end
    assert service.client.get("/api/projects").status_code == 200


def test_an_open_stream_does_not_block_other_requests(store: Store, service: Service) -> None:
    project = make_project(store, 1)
    path = f"/api/projects/{project}/stream"
    with service.client.stream("GET", path) as first, service.client.stream("GET", path) as second:
        lines = first.iter_lines(), second.iter_lines()
        assert all("event: overview" in line for line in lines)
        assert service.client.get(f"/api/projects/{project}/overview").status_code == 200
        assert service.streams.listeners == 2


def test_who_may_not_look_into_the_project_hears_nothing(store: Store, service: Service) -> None:
    project = make_project(store, 1)
    (voter,) = make_voters(store, project, 1)
    with store.write() as connection:
        worker = new_voter_session(connection, voter, project, store.clock())
    get = service.client.get
    path = f"/api/projects/{project}/stream"
    assert get(path, headers={"Authorization": ""}).status_code == 401
    assert get(path, headers={"Authorization": f"Bearer {worker}"}).status_code == 403
    assert get("/api/projects/99/stream").status_code == 404
    assert get(path, headers={"Last-Event-ID": "yesterday"}).status_code == 422
    assert get(path, headers={"Last-Event-ID": str(2**63)}).status_code == 422


def test_a_server_that_is_told_to_stop_ends_its_streams_cleanly(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'quorate.db'}"
    store = Store.open(url)
    store.create_tables()
    project, owner = make_project(store, 1), new_account(store)
    with store.write() as connection:
        headers = {"Authorization": f"Bearer {new_session(connection, owner, store.clock())}"}
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = subprocess.Popen([sys.executable, "-m", "tests.service.streams.streams_server", url, str(port)])
    try:
        transport = httpx.HTTPTransport(retries=8)  # until it listens
        with (
            httpx.Client(transport=transport, timeout=PATIENCE) as client,
            client.stream("GET", f"http://127.0.0.1:{port}/api/projects/{project}/stream", headers=headers) as answer,
        ):
            lines = answer.iter_lines()
            assert "event: overview" in lines
            server.terminate()
            assert list(lines)  # to the proper end: a line that is cut raises
        server.wait(PATIENCE)
    finally:
        server.kill()
        store.close()
