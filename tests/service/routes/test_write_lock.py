"""Who is not signed in never gets as far as the write lock, of which SQLite has one for everybody."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import httpx
import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from sqlalchemy import Connection, event

from quorate.service.app import ROUTERS, create_app
from quorate.service.config import Settings
from quorate.service.routes.http.openapi import JSON
from quorate.service.store.database import Store
from quorate.service.store.tables import members
from tests.service.people import new_account, new_member
from tests.service.pools import make_project, make_voters
from tests.service.routes.conftest import headers_of
from tests.service.routes.managing import as_voter, bearer
from tests.service.serving import SECRET, served
from tests.service.waiting import PATIENCE

CHANGES = ("POST", "PUT", "PATCH", "DELETE")
REFUSED = (401, 403)


class ReadOnlyStore(Store):
    """A store on which to begin to write is an error, where another one would wait for the lock."""

    def write(self) -> NoReturn:
        raise AssertionError("the write lock was asked for")


@pytest.fixture
def app(store: Store, tmp_path: Path) -> Iterator[FastAPI]:
    """Return the whole service on a database whose write lock is held by somebody else."""
    read_only = ReadOnlyStore.open(store.engine.url, clock=store.clock)
    with store.write():
        yield create_app(read_only, Settings(data_folder=tmp_path), SECRET)
    read_only.close()


@pytest.fixture
def anonymous(app: FastAPI) -> Iterator[httpx.Client]:
    with served(app) as address, httpx.Client(base_url=address, timeout=PATIENCE) as client:
        yield client


def changes_of(app: FastAPI) -> Iterator[tuple[str, str, Any]]:
    """Return every method and path that changes something, with a body that is understood."""
    described = app.openapi()["paths"]
    for route in (route for module in ROUTERS for route in module.router.routes):
        assert isinstance(route, APIRoute)
        for method in set(CHANGES) & (route.methods or set()):
            operation = described.get(route.path, {}).get(method.lower(), {})
            content = operation.get("requestBody", {}).get("content", {})
            yield method, route.path, content.get(JSON, {}).get("example")


def test_no_change_by_somebody_unknown_needs_the_lock(app: FastAPI, anonymous: httpx.Client) -> None:
    answers = {
        f"{method} {path}": anonymous.request(method, re.sub(r"{\w+}", "1", path), json=body).status_code
        for method, path, body in changes_of(app)
    }
    assert len(answers) > 35
    assert {route: status for route, status in answers.items() if status not in REFUSED} == {}


@pytest.mark.parametrize("proof", [bearer("qt_unknown"), {"Cookie": "quorate_session=unknown"}])
def test_no_change_by_a_wrong_token_needs_the_lock(
    app: FastAPI, anonymous: httpx.Client, proof: dict[str, str]
) -> None:
    for method, path, body in changes_of(app):
        answer = anonymous.request(method, re.sub(r"{\w+}", "1", path), json=body, headers=proof)
        assert answer.status_code in REFUSED, (method, path, answer.text)


def test_an_entry_that_is_refused_needs_no_lock(store: Store, tmp_path: Path) -> None:
    project = make_project(store, 1, door={"signed": True})
    read_only = ReadOnlyStore.open(store.engine.url, clock=store.clock)
    app = create_app(read_only, Settings(data_folder=tmp_path), SECRET)
    with store.write(), served(app) as address:
        entries = {"": 422, "?worker=w1": 403, "?worker=w1&sig=wrong": 403, "?session=ASSIGNMENT_ID_NOT_AVAILABLE": 303}
        for query, status in entries.items():
            assert httpx.get(f"{address}/enter/{project}{query}", timeout=PATIENCE).status_code == status, query
        assert httpx.get(f"{address}/enter/99?worker=w1", timeout=PATIENCE).status_code == 404
    read_only.close()


def test_work_in_another_project_is_refused_without_the_lock(store: Store, tmp_path: Path) -> None:
    project, other = make_project(store, 1), make_project(store, 1)
    (voter,) = make_voters(store, project, 1)
    headers = as_voter(store, project, voter)
    read_only = ReadOnlyStore.open(store.engine.url, clock=store.clock)
    with store.write(), served(create_app(read_only, Settings(data_folder=tmp_path), SECRET)) as address:
        answer = httpx.post(f"{address}/api/projects/{other}/next", json={}, headers=headers, timeout=PATIENCE)
    assert answer.status_code == 403
    read_only.close()


def test_a_member_who_is_removed_before_the_lock_is_free_is_refused(store: Store, tmp_path: Path) -> None:
    project, account = make_project(store, 1), new_account(store, "mia", "worker")
    new_member(store, project, account, "worker")
    headers = headers_of(store, account)

    class LateStore(Store):
        """A store whose write lock becomes free only after the member was removed."""

        @contextmanager
        def write(self) -> Iterator[Connection]:
            with store.write() as connection:
                connection.execute(members.delete())
            with super().write() as connection:
                yield connection

    late = LateStore.open(store.engine.url, clock=store.clock)
    with served(create_app(late, Settings(data_folder=tmp_path), SECRET)) as address:
        answer = httpx.post(f"{address}/api/projects/{project}/next", json={}, headers=headers, timeout=PATIENCE)
    assert (answer.status_code, "you are not a member of project" in answer.text) == (403, True)
    late.close()


def test_a_vote_looks_once_for_who_sent_it(store: Store, tmp_path: Path) -> None:
    project = make_project(store, 1)
    (voter,) = make_voters(store, project, 1)
    headers, statements = as_voter(store, project, voter), list[str]()
    app = create_app(store, Settings(data_folder=tmp_path), SECRET)
    with served(app) as address, httpx.Client(base_url=f"{address}/api/projects/{project}", headers=headers) as client:
        lease = client.post("/next", json={}, timeout=PATIENCE).json()["leases"][0]["lease"]
        event.listen(store.engine, "before_cursor_execute", lambda *call: statements.append(call[2]))
        vote = {"lease": lease, "key": "a", "label": "cat"}
        answer = client.post("/votes", json={"votes": [vote]}, timeout=PATIENCE).json()
    assert answer["votes"][0]["outcome"] == "counted"
    assert sum("FROM credentials" in statement for statement in statements) == 1
