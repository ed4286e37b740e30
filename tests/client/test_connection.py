"""How requests are sent, what is sent again, and what is said when it fails; over real HTTP."""

from collections.abc import Iterator

import httpx
import pytest

from quorate.client import ClientError
from quorate.client.connection import Connection
from tests.client.stub import HANG_UP, Stub


@pytest.fixture
def pauses() -> list[float]:
    return []


@pytest.fixture
def connection(stub: Stub, pauses: list[float]) -> Iterator[Connection]:
    with httpx.Client(base_url=stub.url) as http:
        yield Connection(http=http, tries=3, pause=pauses.append)


def test_an_error_has_the_words_of_the_service(stub: Stub, connection: Connection) -> None:
    stub.say(409, {"error": "a project that is done\ncannot become pilot", "hint": "make a new one"})
    with pytest.raises(ClientError, match=r"^a project that is done cannot become pilot: make a new one$") as caught:
        connection.post("/api/projects/1/state", {"state": "pilot"})
    assert caught.value.status == 409


def test_an_error_has_what_is_wrong_with_each_field(stub: Stub, connection: Connection) -> None:
    fields = {"workers.batch": "Input should be less than or equal to 50"}
    for sent, expected in ((fields, fields), (None, {}), ("workers", {})):
        stub.say(422, {"error": "wrong"} | ({} if sent is None else {"fields": sent}))
        with pytest.raises(ClientError) as caught:
            connection.post("/api/projects", {})
        assert caught.value.fields == expected


@pytest.mark.parametrize("body", [b"<h1>Bad gateway</h1>", ["not", "a", "mapping"], None])
def test_an_error_without_words_has_its_status(stub: Stub, connection: Connection, body: object) -> None:
    stub.say(500, body)
    with pytest.raises(ClientError, match="the service returned 500 Internal Server Error"):
        connection.get("/healthz")


def test_what_changes_nothing_is_sent_again(stub: Stub, connection: Connection, pauses: list[float]) -> None:
    stub.say(503, {"error": "busy"}, Retry_After="3")
    stub.say(HANG_UP)
    stub.say(200, {"id": 1})
    assert connection.get("/api/projects/1") == {"id": 1}
    assert pauses == [3, 0.4]


def test_it_gives_up_after_so_many_tries(stub: Stub, connection: Connection, pauses: list[float]) -> None:
    for _ in range(3):
        stub.say(503, {"error": "busy"})
    with pytest.raises(ClientError, match="busy"):
        connection.get("/api/projects/1")
    assert len(pauses) == 2


@pytest.mark.parametrize("status", [HANG_UP, 502, 503])
def test_what_might_count_twice_is_sent_once(stub: Stub, connection: Connection, status: int) -> None:
    stub.say(status, {"error": "busy"})
    with pytest.raises(ClientError, match=r"busy|cannot be reached"):
        connection.post("/api/projects", {"name": "cats"})
    assert len(stub.asked) == 1


def test_what_was_refused_for_its_number_is_sent_again(stub: Stub, connection: Connection, pauses: list[float]) -> None:
    stub.say(429, {"error": "too many calls: wait 2 s, then try again"}, Retry_After="2")
    stub.say(201, {"id": 1})
    assert connection.post("/api/projects", {"name": "cats"}) == {"id": 1}
    assert pauses == [2]


def test_a_wrong_request_is_sent_once(stub: Stub, connection: Connection) -> None:
    stub.say(404, {"error": "there is no project 7"})
    with pytest.raises(ClientError, match="there is no project 7"):
        connection.get("/api/projects/7")
    assert len(stub.asked) == 1


def test_nobody_there(pauses: list[float]) -> None:
    with (
        httpx.Client(base_url="http://127.0.0.1:9") as http,
        pytest.raises(ClientError, match=r"http://127\.0\.0\.1:9/? cannot be reached .*: is it running\?") as caught,
    ):
        Connection(http=http, tries=2, pause=pauses.append).post("/api/projects", {})
    assert caught.value.status is None
    assert len(pauses) == 1  # it was never sent, so that it may be sent again


def test_something_else_that_answers(stub: Stub, connection: Connection) -> None:
    stub.say(200, b"<html>")
    with pytest.raises(ClientError, match="is this the address of a Quorate service"):
        connection.get("/api/projects")


def test_a_stream_comes_in_pieces_or_says_why_not(stub: Stub, connection: Connection) -> None:
    stub.say(200, b"a,b\n" * 1000)
    with connection.stream("/api/projects/1/exports/votes.csv") as pieces:
        assert b"".join(pieces) == b"a,b\n" * 1000
    stub.say(403, {"error": "only the project's own people may see this"})
    with (
        pytest.raises(ClientError, match="only the project's own people"),
        connection.stream("/api/projects/1/exports/votes.csv"),
    ):
        pass
