"""A body that is too large is refused before it is read, whoever sends it."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from quorate.service.app import create_app, routes
from quorate.service.config import Settings
from quorate.service.routes.http import body_limits
from quorate.service.routes.http.body_limits import SMALL, WORK
from quorate.service.store.database import Store
from tests.service.clients import owner_token
from tests.service.imports.importing import new_project
from tests.service.raw_http import (
    BytesRead,
    chunks,
    connected,
    head,
    plain,
    read_head,
    read_to_end,
    read_until_closed,
    send_until_answered,
)
from tests.service.routes.managing import bearer
from tests.service.serving import SECRET, served
from tests.service.waiting import PATIENCE

JSON, UPLOAD = 200_000, 300_000  # as the service under test is set up: less than usual, so that tests send little
READ_AT_ONCE = 512 * 1024  # uvicorn hands over what it has buffered: 64 KiB at most, and what one read adds
FORM = "multipart/form-data; boundary=b"


@dataclass
class Service:
    url: str
    store: Store
    read: BytesRead


@pytest.fixture
def service(store: Store, tmp_path: Path) -> Iterator[Service]:
    settings = Settings(data_folder=tmp_path / "data", max_json_bytes=JSON, max_upload_bytes=UPLOAD)
    app, read = create_app(store, settings, SECRET), BytesRead()
    app.add_middleware(read.counting)
    with served(app) as url:
        yield Service(url, store, read)


@pytest.mark.parametrize("path", ["/api/session", "/api/projects/1/votes", "/api/projects/1/items", "/no/such/route"])
def test_a_large_body_is_refused_by_its_announced_length(service: Service, path: str) -> None:
    with connected(service.url) as connection:
        connection.sendall(head("POST", path, "Content-Length: 600000000"))
        sent = send_until_answered(connection, plain(20_000_000))
        answer = read_to_end(connection)
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b'{"error":"the body of this request is larger than ' in answer
    assert b"connection: close" in answer
    assert b"x-request-id: " in answer
    assert service.read.before_answer == 0
    assert service.read.total <= body_limits.DISCARDED + READ_AT_ONCE
    assert sent < 20_000_000


@pytest.mark.parametrize(
    ("path", "limit"), [("/api/session", SMALL), ("/api/projects/1/votes", WORK), ("/api/projects/1/items", JSON)]
)
def test_a_large_body_is_refused_while_it_is_read(service: Service, path: str, limit: int) -> None:
    token = f"Authorization: Bearer {owner_token(service.store)}"
    with connected(service.url) as connection:
        connection.sendall(head("POST", path, "Transfer-Encoding: chunked", token))
        send_until_answered(connection, chunks(20_000_000))
        answer = read_to_end(connection)
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert f'{{"error":"the body of this request is larger than {limit:,} bytes'.encode() in answer
    assert b"connection: close" in answer
    assert limit < service.read.before_answer <= limit + READ_AT_ONCE
    assert service.read.total <= service.read.before_answer + body_limits.DISCARDED + READ_AT_ONCE


def test_a_body_longer_than_announced_is_not_read(service: Service) -> None:
    with connected(service.url) as connection:
        connection.sendall(head("POST", "/api/session", "Content-Length: 20") + b" " * 50_000)
        answer = read_head(connection)
    assert answer.startswith((b"HTTP/1.1 422 ", b"HTTP/1.1 400 "))  # of the first, or of what follows it
    assert service.read.total <= 20


@pytest.mark.parametrize(
    ("path", "limit"),
    [
        ("/api/session", SMALL),
        ("/api/projects/1/votes", WORK),
        ("/api/projects/1/items", JSON),
        ("/api/projects/1/imports", UPLOAD),
        ("/api/look", UPLOAD),
    ],
)
def test_the_limit_itself_is_allowed(service: Service, path: str, limit: int) -> None:
    headers = bearer(owner_token(service.store)) | {"Content-Type": FORM if limit == UPLOAD else "application/json"}
    new_project(service.store)
    with httpx.Client(base_url=service.url, headers=headers, timeout=PATIENCE) as client:
        assert client.post(path, content=b" " * limit).status_code == 422
        assert client.post(path, content=b" " * (limit + 1)).status_code == 413


@pytest.mark.parametrize(
    "path", ["/api/projects/1/imports", "/api/look", "/api/projects/1/items", "/api/projects/1/votes"]
)
@pytest.mark.parametrize("length", [f"Content-Length: {JSON}", "Transfer-Encoding: chunked"])
def test_a_large_body_of_a_stranger_is_not_read(service: Service, path: str, length: str) -> None:
    body = chunks(20_000_000) if "chunked" in length else plain(JSON - 20_000)
    with connected(service.url) as connection:
        connection.sendall(head("POST", path, length))
        send_until_answered(connection, body)
        answer = read_to_end(connection)
    assert answer.startswith(b"HTTP/1.1 401 ")
    assert b"connection: close" in answer
    assert service.read.before_answer == 0
    assert service.read.total <= body_limits.DISCARDED + READ_AT_ONCE


@pytest.mark.parametrize("proof", ["Authorization: Bearer qt_no_such_token", "Cookie: quorate_session=x"])
def test_a_made_up_token_does_not_help(service: Service, proof: str) -> None:
    with connected(service.url) as connection:
        connection.sendall(head("POST", "/api/projects/1/items", f"Content-Length: {JSON}", proof))
        assert read_head(connection).startswith(b"HTTP/1.1 401 ")
    assert service.read.before_answer == 0


def test_the_service_ends_a_connection_that_it_does_not_read(service: Service) -> None:
    with connected(service.url) as connection:
        connection.sendall(head("POST", "/api/projects/1/imports", "Transfer-Encoding: chunked"))
        send_until_answered(connection, chunks(20_000_000))
        assert read_until_closed(connection).startswith(b"HTTP/1.1 401 ")


def test_an_upload_that_grows_too_large_leaves_nothing(service: Service, tmp_path: Path) -> None:
    project = new_project(service.store)
    part = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
    headers = bearer(owner_token(service.store)) | {"Content-Type": FORM}

    def unannounced() -> Iterator[bytes]:
        yield part
        for _ in range(100):
            yield b"x" * 5000

    with httpx.Client(base_url=service.url, headers=headers, timeout=PATIENCE) as client:
        answer = client.post(f"/api/projects/{project}/imports", content=unannounced())
    assert answer.status_code == 413
    assert "split the file" in answer.json()["error"]
    assert list((tmp_path / "data" / "uploads").iterdir()) == []


@pytest.mark.parametrize(
    ("path", "length", "status"),
    [
        ("/api/session", 600_000_000, 413),
        ("/api/projects/1/imports", UPLOAD, 401),
        ("/api/projects/1/items", JSON, 401),
        ("/api/session", 20, 100),
    ],
)
def test_a_client_that_asks_first_is_told_before_it_sends(
    service: Service, path: str, length: int, status: int
) -> None:
    with connected(service.url) as connection:
        connection.sendall(head("POST", path, f"Content-Length: {length}", "Expect: 100-continue"))
        answer = read_head(connection)
    assert answer.startswith(f"HTTP/1.1 {status} ".encode())


def test_a_refusal_of_a_small_body_keeps_the_connection(service: Service) -> None:
    with connected(service.url) as connection:
        for path, length in (("/api/projects/1/workers/1/block", 1000), ("/api/session", 20), ("/no/such/route", 1000)):
            connection.sendall(head("POST", path, f"Content-Length: {length}") + b" " * length)
            assert b"connection: close" not in read_head(connection)
            connection.recv(10_000)


def test_every_route_with_a_body_has_a_limit_of_its_own() -> None:
    """Routes that are not listed take little: a new route that needs more fails here."""
    table = body_limits.limits_by_route(json_bytes=JSON, upload_bytes=UPLOAD)
    routes_by_limit: dict[int, set[str]] = {SMALL: set(), WORK: set(), JSON: set(), UPLOAD: set()}
    for path, methods in routes().openapi()["paths"].items():
        for method, operation in methods.items():
            if "requestBody" in operation:
                limit = body_limits.limit_of(table, method.upper(), path.replace("{", "").replace("}", ""))
                routes_by_limit[limit].add(
                    f"{method.upper()} {path.removeprefix('/api').replace('/projects/{project_id}', '')}"
                )
    assert routes_by_limit == {
        SMALL: {
            "POST /session",
            "PUT /session/password",
            "POST /session/link",
            "POST /session/join",
            "POST /accounts",
            "POST /tokens",
            "POST /work/session",
            "POST /members",
            "POST /workers",
        },
        WORK: {
            "POST /next",
            "POST /votes",
            "POST /votes/{vote_id}/amend",
            "POST /leases/heartbeat",
            "POST /leases/return",
            "POST /consent",
            "POST /state",
            "POST /items/{item_id}/relabel",
            "POST /items/{item_id}/reopen",
            "POST /items/{item_id}/expert",
            "POST /webhooks",
            "POST /webhooks/{webhook_id}/state",
        },
        JSON: {
            "POST /items",
            "POST /classify",
            "POST /classify/batch",
            "POST /door/links",
            "POST /settings/preview",
            "PUT /settings",
            "POST /projects",
            "POST /forecast",
        },
        UPLOAD: {"POST /imports", "POST /look"},
    }
