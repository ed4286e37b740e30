from collections.abc import Iterator

import httpx
import pytest
from fastapi import APIRouter, Request, Response

from quorate.service.accounts.credentials import (
    SESSION_SECONDS,
    find,
    new_session,
    new_token,
    new_voter_session,
    revoke,
)
from quorate.service.rate_limits import RateLimit
from quorate.service.routes.http.authentication import (
    COOKIE,
    CSRF_HEADER,
    VOTER_COOKIE,
    VOTER_HEADER,
    Caller,
    CallerIfAny,
    csrf_value,
    set_session,
)
from quorate.service.store.database import Store
from tests.service.conftest import Clock
from tests.service.people import new_account, new_project, new_voter
from tests.service.serving import SECRET, app_of, served
from tests.service.waiting import PATIENCE

router = APIRouter()


@router.get("/me")
@router.post("/me")
@router.delete("/me")
def me(who: Caller) -> str:
    return who.name


@router.get("/anyone")
def anyone(who: CallerIfAny) -> str:
    return "nobody" if who is None else who.name


@router.get("/cookie")
def cookie(request: Request, response: Response) -> None:
    set_session(request, response, "secret")


@pytest.fixture
def client(store: Store) -> Iterator[httpx.Client]:
    app = app_of(store, router)
    app.state.limits.calls = RateLimit(per_second=1, burst=3, clock=store.clock)
    with served(app) as address, httpx.Client(base_url=address, timeout=PATIENCE) as client:
        yield client


@pytest.fixture
def session(store: Store) -> str:
    account = new_account(store)
    with store.write() as connection:
        return new_session(connection, account, store.clock())


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


def test_nobody_is_told_to_sign_in(client: httpx.Client) -> None:
    answer = client.get("/me")
    assert answer.status_code == 401
    assert "sign in" in answer.json()["error"]
    assert client.get("/anyone").json() == "nobody"


def test_a_bearer_is_known_and_needs_no_csrf(client: httpx.Client, session: str) -> None:
    for method in ("GET", "POST", "DELETE"):
        assert client.request(method, "/me", headers=bearer(session)).json() == "ann"
    assert client.get("/me", headers={"Authorization": f"bearer {session}"}).json() == "ann"
    assert client.get("/anyone", headers=bearer(session)).json() == "ann"


def test_wrong_proof_is_refused_even_where_none_is_needed(client: httpx.Client, session: str) -> None:
    client.cookies.set(COOKIE, session)  # a header that is wrong is not made good by a cookie
    for header in ("", "Bearer", "Basic YTpi", "Bearer nonsense", "Bearer " + "x" * 5000):
        for path in ("/me", "/anyone"):
            assert client.get(path, headers={"Authorization": header}).status_code == 401


def test_a_cookie_reads_without_and_writes_with_csrf(client: httpx.Client, session: str) -> None:
    client.cookies.set(COOKIE, session)
    assert client.get("/me").json() == "ann"
    right = csrf_value(SECRET, session)
    for method in ("POST", "DELETE"):
        for wrong in ({}, {CSRF_HEADER: ""}, {CSRF_HEADER: right[:-1]}, {CSRF_HEADER: "é".encode()}):
            answer = client.request(method, "/me", headers=wrong)  # type: ignore[arg-type]
            assert answer.status_code == 403, wrong
            assert CSRF_HEADER in answer.json()["error"]
        assert client.request(method, "/me", headers={CSRF_HEADER: right}).json() == "ann"


def test_a_browser_may_be_an_account_and_a_voter(client: httpx.Client, session: str, store: Store) -> None:
    eve = new_account(store, "eve")
    with store.write() as connection:
        other = new_session(connection, eve, store.clock())
    client.cookies.set(COOKIE, session)
    client.cookies.set(VOTER_COOKIE, other)
    as_voter = {VOTER_HEADER: "1"}
    assert (client.get("/me").json(), client.get("/me", headers=as_voter).json()) == ("ann", "eve")
    assert client.post("/me", headers=as_voter | {CSRF_HEADER: csrf_value(SECRET, other)}).json() == "eve"
    assert client.post("/me", headers=as_voter | {CSRF_HEADER: csrf_value(SECRET, session)}).status_code == 403
    client.cookies.set(COOKIE, "qs_ended")  # such as of an account that was signed out elsewhere
    assert client.get("/me").json() == "eve"


def test_the_csrf_value_of_another_session_is_wrong(client: httpx.Client, session: str, store: Store) -> None:
    account = new_account(store, "eve")
    with store.write() as connection:
        other = new_session(connection, account, store.clock())
    client.cookies.set(COOKIE, session)
    assert client.post("/me", headers={CSRF_HEADER: csrf_value(SECRET, other)}).status_code == 403
    assert client.post("/me", headers={CSRF_HEADER: csrf_value(b"another key", session)}).status_code == 403


def test_a_session_ends_and_can_be_revoked(client: httpx.Client, session: str, store: Store, clock: Clock) -> None:
    with store.write() as connection:
        token = new_token(connection, 1, clock(), scopes=frozenset({"read"}), name="script")
    assert client.get("/me", headers=bearer(token)).status_code == 200
    clock.now += SESSION_SECONDS
    assert client.get("/me", headers=bearer(session)).status_code == 401
    with store.write() as connection:
        who = find(connection, token, clock())
        assert who
        revoke(connection, who.credential_id, clock())
    assert client.get("/me", headers=bearer(token)).status_code == 401


def test_a_voter_is_known_by_its_code(client: httpx.Client, store: Store) -> None:
    project = new_project(store)
    voter = new_voter(store, project, "k7")
    with store.write() as connection:
        session = new_voter_session(connection, voter, project, store.clock())
    assert client.get("/me", headers=bearer(session)).json() == "k7"


def test_changes_are_limited_and_reading_is_not(client: httpx.Client, session: str, clock: Clock) -> None:
    codes = [client.post("/me", headers=bearer(session)).status_code for _ in range(4)]
    assert codes == [200, 200, 200, 429]
    assert client.post("/me", headers=bearer(session)).headers["Retry-After"] == "1"
    assert client.get("/me", headers=bearer(session)).status_code == 200
    clock.now += 1
    assert client.post("/me", headers=bearer(session)).status_code == 200


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(client: httpx.Client) -> None:
    plain = client.get("/cookie").headers["Set-Cookie"]
    assert "HttpOnly" in plain
    assert "SameSite=lax" in plain
    assert "Secure" not in plain
    proxied = client.get("/cookie", headers={"X-Forwarded-Proto": "https"})
    assert "Secure" in proxied.headers["Set-Cookie"]


def test_openapi_says_how_to_sign_in(client: httpx.Client) -> None:
    schemes = client.get("/openapi.json").json()["components"]["securitySchemes"]
    assert {scheme["type"] for scheme in schemes.values()} == {"http", "apiKey"}
