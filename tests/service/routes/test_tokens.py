from typing import Any

import httpx
import pytest

from quorate.service.store.database import Store
from tests.service.conftest import Clock
from tests.service.people import new_account, new_project
from tests.service.routes.conftest import headers_of

Headers = dict[str, str]


def make(people: httpx.Client, headers: Headers, **more: object) -> Headers:
    answer = people.post("/api/tokens", json={"name": "script", "scopes": ["read"], **more}, headers=headers)
    assert answer.status_code == 201, answer.text
    return {"Authorization": f"Bearer {answer.json()['token']}"}


def test_a_token_is_shown_once_and_works_until_revoked(people: httpx.Client, owner: Headers) -> None:
    token = make(people, owner, scopes=["vote", "read"])
    assert people.get("/api/session", headers=token).json()["scopes"] == ["read", "vote"]
    listed = people.get("/api/tokens", headers=owner)
    assert token["Authorization"].split("_", 1)[1] not in listed.text
    [row] = listed.json()
    assert (row["name"], row["scopes"], row["expires_at"]) == ("script", ["read", "vote"], None)
    assert people.delete(f"/api/tokens/{row['id']}", headers=owner).status_code == 204
    assert people.get("/api/session", headers=token).status_code == 401
    assert people.get("/api/tokens", headers=owner).json() == []
    assert people.delete(f"/api/tokens/{row['id']}", headers=owner).status_code == 404


def test_a_token_ends(people: httpx.Client, owner: Headers, clock: Clock) -> None:
    token = make(people, owner, days=1)
    clock.now += 86_399
    assert people.get("/api/session", headers=token).status_code == 200
    clock.now += 1
    assert people.get("/api/session", headers=token).status_code == 401
    assert people.get("/api/tokens", headers=owner).json() == []


def test_a_token_cannot_make_tokens_or_sign_out(people: httpx.Client, owner: Headers) -> None:
    token = make(people, owner, scopes=["read", "vote", "manage"])
    assert people.post("/api/tokens", json={"name": "x", "scopes": ["read"]}, headers=token).status_code == 403
    assert people.get("/api/tokens", headers=token).status_code == 403
    assert people.delete("/api/session", headers=token).status_code == 409
    assert people.put("/api/session/password", json={"old": "x", "new": "y"}, headers=token).status_code == 403


def test_scopes_of_a_token_hold_over_http(people: httpx.Client, owner: Headers) -> None:
    assert people.get("/api/accounts", headers=make(people, owner)).status_code == 403
    assert people.get("/api/accounts", headers=make(people, owner, scopes=["manage"])).status_code == 200


def test_a_token_of_one_project_is_for_that_one(people: httpx.Client, owner: Headers, store: Store) -> None:
    mine, other = new_project(store), new_project(store)
    token = make(people, owner, project_id=mine)
    assert people.get(f"/api/projects/{mine}/members", headers=token).status_code == 200
    assert people.get(f"/api/projects/{other}/members", headers=token).status_code == 403
    missing = people.post("/api/tokens", json={"name": "x", "scopes": ["read"], "project_id": 999}, headers=owner)
    assert missing.status_code == 404


def test_nobody_sees_or_ends_the_tokens_of_others(people: httpx.Client, owner: Headers, store: Store) -> None:
    token = make(people, owner)
    eve = headers_of(store, new_account(store, "eve", "owner"))
    [row] = people.get("/api/tokens", headers=owner).json()
    assert people.get("/api/tokens", headers=eve).json() == []
    assert people.delete(f"/api/tokens/{row['id']}", headers=eve).status_code == 404
    assert people.get("/api/session", headers=token).status_code == 200


def test_a_session_cannot_be_ended_as_a_token(people: httpx.Client, owner: Headers) -> None:
    assert people.delete("/api/tokens/1", headers=owner).status_code == 404
    assert people.get("/api/session", headers=owner).status_code == 200


def test_a_malformed_token_is_told(people: httpx.Client, owner: Headers) -> None:
    wrong: list[dict[str, Any]] = [
        {"scopes": []},
        {"scopes": ["all"]},
        {"days": 0},
        {"days": 1e300},
        {"name": ""},
        {"project_id": 0},
    ]
    for change in wrong:
        sent = {"name": "script", "scopes": ["read"], **change}
        assert people.post("/api/tokens", json=sent, headers=owner).status_code == 422, change


def test_there_is_a_limit(people: httpx.Client, owner: Headers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quorate.service.accounts.tokens.MAX_TOKENS", 2)
    for _ in range(2):
        make(people, owner)
    assert people.post("/api/tokens", json={"name": "x", "scopes": ["read"]}, headers=owner).status_code == 409
