import json
import logging
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from fastapi import APIRouter, FastAPI, Request
from starlette.responses import StreamingResponse
from starlette.testclient import TestClient

from quorate.service.logs import JsonLines, PlainLines, set_up_logs
from quorate.service.monitoring.prometheus import Metrics
from quorate.service.routes.http.request_log import RequestLog
from quorate.service.store.database import Store
from quorate.service.work import __name__ as inside


class Principal:
    account_id, voter_id = 3, None


@pytest.fixture
def app(tmp_path: Path) -> FastAPI:
    store = Store.open(f"sqlite:///{tmp_path / 'quorate.db'}")
    store.create_tables()
    app = FastAPI()
    inner = APIRouter(prefix="/projects/{project_id}")

    @inner.get("/votes/{vote_id}")
    def vote(request: Request, project_id: int, vote_id: int) -> int:
        request.state.who = Principal()
        logging.getLogger(inside).warning("from inside")
        return project_id

    @inner.get("/broken")
    def broken() -> None:
        raise RuntimeError("a secret detail")

    @inner.get("/cut")
    def cut() -> StreamingResponse:
        def parts() -> Iterator[bytes]:
            yield b"one"
            raise RuntimeError("half way")

        return StreamingResponse(parts())

    app.include_router(inner, prefix="/api")
    app.state.metrics = Metrics(store)
    app.add_middleware(RequestLog, metrics=app.state.metrics.requests)
    return app


@pytest.fixture
def client(app: FastAPI) -> TestClient:
    return TestClient(app, raise_server_exceptions=False)


@pytest.fixture
def log_stream() -> Iterator[StringIO]:
    """Yield the log as `quorate serve` sets it up, and restore the log afterwards."""
    root, ours = logging.getLogger(), logging.getLogger("quorate")
    before = root.handlers, root.level, ours.level
    stream = StringIO()
    set_up_logs("info", "json", stream)
    yield stream
    root.handlers = before[0]
    root.setLevel(before[1])
    ours.setLevel(before[2])


def logged(log_stream: StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in log_stream.getvalue().splitlines()]


def test_a_request_is_one_line_with_its_route_and_nothing_secret(client: TestClient, log_stream: StringIO) -> None:
    answer = client.get("/api/projects/7/votes/8?signature=hidden", headers={"Authorization": "Bearer hidden"})
    inside_line, line = logged(log_stream)
    assert line["method"] == "GET"
    assert line["route"] == "/api/projects/{project_id}/votes/{vote_id}"
    assert line["status"] == 200
    assert line["who"] == "account:3"
    assert isinstance(line["milliseconds"], float)
    assert "hidden" not in str(line)
    assert line["request_id"] == inside_line["request_id"] == answer.headers["X-Request-ID"]


@pytest.mark.parametrize("sent", ["short", "x" * 65, "eight ch", "new\tline12"])
def test_an_insane_id_is_replaced(sent: str, client: TestClient) -> None:
    answer = client.get("/api/projects/7/votes/8", headers={"X-Request-ID": sent})
    assert answer.headers["X-Request-ID"] != sent
    assert len(answer.headers["X-Request-ID"]) == 16


def test_a_sane_id_is_kept(client: TestClient) -> None:
    answer = client.get("/api/projects/7/votes/8", headers={"X-Request-ID": "trace-0123.4_5"})
    assert answer.headers["X-Request-ID"] == "trace-0123.4_5"


def test_a_path_that_is_no_route_is_not_logged(client: TestClient, log_stream: StringIO) -> None:
    assert client.get("/guess/hidden").status_code == 404
    (line,) = logged(log_stream)
    assert line["route"] == "-"
    assert "hidden" not in str(line)


def test_a_fault_is_answered_with_its_id_and_logged_with_its_cause(client: TestClient, log_stream: StringIO) -> None:
    answer = client.get("/api/projects/7/broken")
    assert answer.status_code == 500
    assert "secret detail" not in answer.text
    failed, line = logged(log_stream)
    assert failed["request_id"] == line["request_id"]
    assert str(failed["request_id"]) in answer.json()["error"]
    assert "a secret detail" in str(failed["traceback"])
    assert line["status"] == 500


def test_a_body_that_breaks_half_way_is_logged(client: TestClient, log_stream: StringIO) -> None:
    client.get("/api/projects/7/cut")
    failed, _ = logged(log_stream)
    assert "half way" in str(failed["traceback"])


def test_requests_are_counted_by_route(app: FastAPI, client: TestClient) -> None:
    for _ in range(3):
        client.get("/api/projects/7/votes/8")
    page = app.state.metrics.page().decode()
    labels = 'method="GET",route="/api/projects/{project_id}/votes/{vote_id}"'
    assert f'quorate_requests_total{{{labels},status="200"}} 3.0' in page
    assert f"quorate_request_seconds_count{{{labels}}} 3.0" in page


def test_what_is_logged_stays_on_its_line() -> None:
    record = logging.makeLogRecord({"msg": "one\ntwo", "levelname": "INFO", "fields": {"who": "a\nb"}})
    assert "\n" not in PlainLines().format(record)
    assert "\n" not in JsonLines().format(record)
