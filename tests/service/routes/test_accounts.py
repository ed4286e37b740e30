import threading

import httpx
from sqlalchemy import select

from quorate.service.accounts.accounts import close
from quorate.service.errors import Conflict
from quorate.service.store.database import Store
from quorate.service.store.tables import accounts, events
from tests.service.people import new_account
from tests.service.routes.conftest import headers_of
from tests.service.waiting import PATIENCE

Headers = dict[str, str]
PASSWORD = "correct horse battery"


def invite(people: httpx.Client, owner: Headers, name: str = "ben", role: str = "requester") -> tuple[int, str]:
    answer = people.post("/api/accounts", json={"name": name, "role": role}, headers=owner)
    assert answer.status_code == 201, answer.text
    link = answer.json()["link"]
    assert link.startswith(f"{people.base_url}/join#ql_".replace("//join", "/join"))
    return answer.json()["id"], link.partition("#")[2]


def join(people: httpx.Client, link: str) -> httpx.Response:
    with httpx.Client(base_url=people.base_url, timeout=PATIENCE) as client:
        return client.post("/api/session/join", json={"link": link, "password": PASSWORD})


def test_an_invited_account_sets_its_own_password(people: httpx.Client, owner: Headers) -> None:
    number, link = invite(people, owner)
    looked = people.post("/api/session/link", json={"link": link}).json()
    assert looked == {"purpose": "password", "name": "ben"}
    before = {row["name"]: row["has_password"] for row in people.get("/api/accounts", headers=owner).json()}
    joined = join(people, link)
    assert (joined.json()["account_id"], joined.json()["role"]) == (number, "requester")
    after = {row["name"]: row["has_password"] for row in people.get("/api/accounts", headers=owner).json()}
    assert (before["ben"], after["ben"]) == (False, True)
    assert join(people, link).status_code == 403


def test_a_name_in_the_link_s_request_does_not_rename_the_account(people: httpx.Client, owner: Headers) -> None:
    _, link = invite(people, owner)
    sent = {"link": link, "password": PASSWORD, "name": "olga"}
    assert people.post("/api/session/join", json=sent).json()["name"] == "ben"


def test_names_are_taken_once(people: httpx.Client, owner: Headers) -> None:
    invite(people, owner)
    for name in ("ben", " BEN ", "\uff42en"):
        answer = people.post("/api/accounts", json={"name": name, "role": "owner"}, headers=owner)
        assert answer.status_code == 409, name


def test_a_new_link_ends_the_old_one(people: httpx.Client, owner: Headers) -> None:
    number, first = invite(people, owner)
    second = people.post(f"/api/accounts/{number}/link", headers=owner).json()["link"].partition("#")[2]
    assert join(people, first).status_code == 403
    assert join(people, second).status_code == 200


def test_a_closed_account_is_out_at_once(people: httpx.Client, owner: Headers) -> None:
    number, link = invite(people, owner)
    session = {"Authorization": f"Bearer {join(people, link).cookies['quorate_session']}"}
    token = people.post("/api/tokens", json={"name": "t", "scopes": ["read"]}, headers=session).json()["token"]
    spare = people.post(f"/api/accounts/{number}/link", headers=owner).json()["link"].partition("#")[2]
    assert people.post(f"/api/accounts/{number}/close", headers=owner).status_code == 204
    assert people.post(f"/api/accounts/{number}/close", headers=owner).status_code == 204
    for headers in (session, {"Authorization": f"Bearer {token}"}):
        assert people.get("/api/session", headers=headers).status_code == 401
    assert people.post("/api/session", json={"name": "ben", "password": PASSWORD}).status_code == 401
    assert join(people, spare).status_code == 403
    assert people.post(f"/api/accounts/{number}/link", headers=owner).status_code == 409


def test_the_last_owner_stays(people: httpx.Client, owner: Headers) -> None:
    me = people.get("/api/session", headers=owner).json()["account_id"]
    answer = people.post(f"/api/accounts/{me}/close", headers=owner)
    assert (answer.status_code, "create another owner" in answer.json()["error"]) == (409, True)
    invite(people, owner, "second", "owner")
    assert people.post(f"/api/accounts/{me}/close", headers=owner).status_code == 204


def test_two_owners_cannot_close_each_other_at_once(store: Store) -> None:
    numbers = [new_account(store, name) for name in ("ann", "ben")]
    together = threading.Barrier(2)
    messages: list[str] = []

    def close_one(number: int) -> None:
        together.wait()
        try:
            with store.write() as connection:
                close(connection, number, "other", store.clock())
        except Conflict as error:
            messages.append(str(error))

    threads = [threading.Thread(target=close_one, args=(number,)) for number in numbers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with store.read() as connection:
        states = connection.execute(select(accounts.c.state)).scalars().all()
    assert sorted(states) == ["active", "closed"]
    assert len(messages) == 1


def test_only_owners_manage_accounts(people: httpx.Client, store: Store) -> None:
    for role in ("requester", "expert", "worker"):
        headers = headers_of(store, new_account(store, f"a {role}", role))
        answers = [
            people.get("/api/accounts", headers=headers),
            people.post("/api/accounts", json={"name": "eve", "role": "owner"}, headers=headers),
            people.post("/api/accounts/1/link", headers=headers),
            people.post("/api/accounts/1/close", headers=headers),
        ]
        assert [answer.status_code for answer in answers] == [403] * 4


def test_what_does_not_exist_is_told(people: httpx.Client, owner: Headers) -> None:
    assert people.post("/api/accounts/999/close", headers=owner).status_code == 404
    assert people.post(f"/api/accounts/{2**63}/close", headers=owner).status_code == 422
    assert people.post("/api/accounts", json={"name": "x", "role": "king"}, headers=owner).status_code == 422


def test_what_was_done_is_logged(people: httpx.Client, owner: Headers, store: Store) -> None:
    invite(people, owner)
    with store.read() as connection:
        entries = connection.execute(select(events.c.actor, events.c.kind).order_by(events.c.id)).all()
    assert [tuple(row) for row in entries] == [("olga", "account.created"), ("olga", "account.link")]
