"""Changes to accounts need a person who has signed in: a leaked API token must not become a whole account."""

from collections.abc import Callable

import httpx
import pytest

from quorate.service.accounts.accounts import set_password
from quorate.service.accounts.credentials import new_token
from quorate.service.accounts.passwords import hash_password
from quorate.service.accounts.permissions import SCOPES
from quorate.service.store.database import Store
from tests.service.people import new_account, new_project
from tests.service.routes.conftest import bearer, headers_of

Headers = dict[str, str]
Send = Callable[[httpx.Client, Headers, int], httpx.Response]
PASSWORD, NEW_PASSWORD = "correct horse battery", "another horse battery"

CHANGES: dict[str, Send] = {
    "create an account": lambda people, headers, _: people.post(
        "/api/accounts", json={"name": "eve", "role": "owner"}, headers=headers
    ),
    "make a password link": lambda people, headers, account: people.post(
        f"/api/accounts/{account}/link", headers=headers
    ),
    "close an account": lambda people, headers, account: people.post(f"/api/accounts/{account}/close", headers=headers),
    "change the own password": lambda people, headers, _: people.put(
        "/api/session/password", json={"old": PASSWORD, "new": NEW_PASSWORD}, headers=headers
    ),
    "create a token": lambda people, headers, _: people.post(
        "/api/tokens", json={"name": "another", "scopes": ["manage"]}, headers=headers
    ),
    "list the own tokens": lambda people, headers, _: people.get("/api/tokens", headers=headers),
    "revoke a token": lambda people, headers, _: people.delete("/api/tokens/1", headers=headers),
}


@pytest.fixture
def owner_id(store: Store) -> int:
    """Create an owner with a password, whose first credential is a token with all scopes."""
    account = new_account(store, "olga", "owner")
    with store.write() as connection:
        set_password(connection, account, hash_password(PASSWORD), store.clock())
    return account


@pytest.fixture
def token(store: Store, owner_id: int) -> Headers:
    """Return the headers of the owner's token."""
    with store.write() as connection:
        scopes = frozenset(SCOPES)
        return bearer(new_token(connection, owner_id, store.clock(), scopes=scopes, name="nightly"))


@pytest.mark.parametrize("change", CHANGES)
def test_an_account_is_changed_by_a_session_only(
    change: str, people: httpx.Client, store: Store, owner_id: int, token: Headers
) -> None:
    other = new_account(store, "ben", "requester")
    refused = CHANGES[change](people, token, other)
    assert refused.status_code == 403, refused.text
    assert "signed in" in refused.json()["error"]
    assert "token" in refused.json()["error"]
    allowed = CHANGES[change](people, headers_of(store, owner_id), other)
    assert allowed.is_success, allowed.text


def test_a_token_cannot_reset_the_password_of_its_own_account(
    people: httpx.Client, owner_id: int, token: Headers
) -> None:
    assert people.post(f"/api/accounts/{owner_id}/link", headers=token).status_code == 403
    signed_in = people.post("/api/session", json={"name": "olga", "password": PASSWORD})
    assert signed_in.status_code == 200


def test_a_token_still_manages_its_projects_and_lists_accounts(
    people: httpx.Client, store: Store, token: Headers
) -> None:
    project, ed = new_project(store), new_account(store, "ed", "expert")
    members = f"/api/projects/{project}/members"
    assert people.get("/api/accounts", headers=token).status_code == 200
    assert people.post(members, json={"name": "ed", "role": "expert"}, headers=token).status_code == 204
    assert people.delete(f"{members}/{ed}", headers=token).status_code == 204
    invited = people.post(f"/api/projects/{project}/workers", json={"kind": "crowd"}, headers=token)
    assert invited.status_code == 201
    assert people.post("/api/work/session", json={"link": invited.json()["link"]}).status_code == 200
