import re

import httpx
import pytest
from sqlalchemy import select

from quorate.service.accounts.accounts import first_owner_link
from quorate.service.accounts.credentials import LINK_SECONDS
from quorate.service.routes.http.authentication import COOKIE, CSRF_HEADER
from quorate.service.store.database import Store
from quorate.service.store.tables import accounts, credentials
from tests.service.conftest import Clock
from tests.service.waiting import PATIENCE

PASSWORD = "correct horse battery"
JOIN = {"name": "Ann@Example.org", "password": PASSWORD}


def owner_link(store: Store) -> str:
    with store.write() as connection:
        link = first_owner_link(connection, "https://quorate.example.org/", store.clock())
    assert link
    page, _, secret = link.partition("#")
    assert page == "https://quorate.example.org/join"
    return secret


@pytest.fixture
def ann(people: httpx.Client, store: Store) -> dict[str, str]:
    """Create the first owner; return the headers that her page sends with changes."""
    answer = people.post("/api/session/join", json={"link": owner_link(store), **JOIN})
    assert answer.status_code == 200, answer.text
    return {CSRF_HEADER: answer.json()["csrf"]}


def test_the_first_owner_joins_by_a_link(people: httpx.Client, store: Store) -> None:
    link = owner_link(store)
    assert people.post("/api/session/link", json={"link": link}).json() == {"purpose": "owner", "name": None}
    answer = people.post("/api/session/join", json={"link": link, **JOIN})
    assert (answer.json()["name"], answer.json()["role"]) == ("ann@example.org", "owner")
    assert people.get("/api/session").json() == answer.json()
    again = people.post("/api/session/join", json={"link": link, **JOIN, "name": "eve"})
    assert again.status_code == 403
    with store.write() as connection:
        assert first_owner_link(connection, "http://localhost", store.clock()) is None


def test_only_the_last_owner_link_works(people: httpx.Client, store: Store, clock: Clock) -> None:
    first, second = owner_link(store), owner_link(store)
    assert people.post("/api/session/join", json={"link": first, **JOIN}).status_code == 403
    clock.now += LINK_SECONDS
    assert people.post("/api/session/join", json={"link": second, **JOIN}).status_code == 403
    assert people.post("/api/session/join", json={"link": owner_link(store), **JOIN}).status_code == 200


def test_what_is_refused_does_not_use_the_link_up(people: httpx.Client, store: Store) -> None:
    link = owner_link(store)
    for change in ({"password": "short"}, {"name": None}, {"name": "\x00"}, {"name": " "}):
        assert people.post("/api/session/join", json={"link": link, **JOIN, **change}).status_code == 422
    with store.read() as connection:
        assert connection.execute(select(accounts)).all() == []
    assert people.post("/api/session/join", json={"link": link, **JOIN}).status_code == 200


def test_signing_in_and_out(people: httpx.Client, ann: dict[str, str]) -> None:
    old = people.cookies[COOKIE]
    assert people.delete("/api/session").status_code == 403  # without csrf
    assert people.delete("/api/session", headers=ann).status_code == 204
    assert COOKIE not in people.cookies
    assert people.get("/api/session").status_code == 401
    assert people.get("/api/session", headers={"Authorization": f"Bearer {old}"}).status_code == 401
    answer = people.post("/api/session", json={"name": " ANN@example.org", "password": PASSWORD})
    assert answer.status_code == 200
    assert people.get("/api/session").json()["name"] == "ann@example.org"
    cookie = answer.headers["Set-Cookie"]
    assert re.search(r"HttpOnly.*SameSite=lax", cookie)


def test_a_wrong_name_and_a_wrong_password_look_the_same(people: httpx.Client, ann: dict[str, str]) -> None:
    wrong = [{"name": "ann@example.org", "password": "x" * 12}, {"name": "eve", "password": PASSWORD}]
    answers = [people.post("/api/session", json=body) for body in wrong]
    assert [answer.status_code for answer in answers] == [401, 401]
    assert answers[0].json() == answers[1].json()


def test_guessing_is_slowed_down(people: httpx.Client, ann: dict[str, str], clock: Clock) -> None:
    guess = {"name": "ann@example.org", "password": "a wrong password"}
    codes = [people.post("/api/session", json=guess).status_code for _ in range(11)]
    assert codes == [401] * 10 + [429]
    right = {**guess, "password": PASSWORD}
    refused = people.post("/api/session", json=right)
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "30")
    clock.now += 30
    assert people.post("/api/session", json=right).status_code == 200


def test_changing_the_password_ends_other_sessions(people: httpx.Client, ann: dict[str, str]) -> None:
    mine = people.cookies[COOKIE]
    with httpx.Client(base_url=people.base_url, timeout=PATIENCE) as other:
        assert other.post("/api/session", json={**JOIN}).status_code == 200
        change = {"old": PASSWORD, "new": "another long password"}
        wrong = people.put("/api/session/password", json={**change, "old": "not this one"}, headers=ann)
        assert wrong.status_code == 403
        assert people.put("/api/session/password", json=change, headers=ann).status_code == 204
        assert other.get("/api/session").status_code == 401
        assert people.get("/api/session").status_code == 200
        assert people.cookies[COOKIE] == mine
        assert other.post("/api/session", json={**JOIN}).status_code == 401
        assert other.post("/api/session", json={**JOIN, "password": change["new"]}).status_code == 200


def test_a_malformed_sign_in_is_told(people: httpx.Client) -> None:
    malformed: list[object] = [
        {},
        [],
        {"name": "ann"},
        {"name": ["ann"], "password": "x"},
        {"name": "a\x00", "password": "x"},
        {"name": "ann", "password": "x", "role": "owner"},
        {"name": "x" * 201, "password": "x"},
        {"name": "ann", "password": "x" * 501},
    ]
    for body in malformed:
        answer = people.post("/api/session", json=body)
        assert answer.status_code == 422, body
        assert "xxx" not in answer.text  # what was typed is not sent back


def test_broken_text_is_no_server_error(people: httpx.Client) -> None:
    for raw in (rb'{"name": "\ud800", "password": "x"}', rb'{"name": "a", "password": "\ud800"}', b"{", b"\xff"):
        answer = people.post("/api/session", content=raw, headers={"Content-Type": "application/json"})
        assert 400 <= answer.status_code < 500, raw


def test_passwords_and_links_are_kept_as_hashes_only(people: httpx.Client, ann: dict[str, str], store: Store) -> None:
    with store.read() as connection:
        kept = str([*connection.execute(select(accounts)), *connection.execute(select(credentials))])
    assert "$argon2id$" in kept
    assert PASSWORD not in kept
    assert people.cookies[COOKIE] not in kept
