import asyncio
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from quorate.service.accounts.credentials import new_session, new_token
from quorate.service.app import create_app
from quorate.service.config import Settings
from quorate.service.store.database import Store
from quorate.service.webhooks.sender import Sender
from tests.service.people import new_account, new_member
from tests.service.pools import ask, make_project, make_voters, vote
from tests.service.receiver import Receiver, receiving
from tests.service.serving import SECRET, served
from tests.service.waiting import PATIENCE


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as receiver:
        yield receiver


def session(store: Store, account: int) -> dict[str, str]:
    with store.write() as connection:
        return {"Authorization": f"Bearer {new_session(connection, account, store.clock())}"}


@pytest.fixture
def client(store: Store) -> Iterator[httpx.Client]:
    app = create_app(store, Settings(allow_private_webhooks=True), SECRET)
    headers = session(store, new_account(store))
    with served(app) as address, httpx.Client(base_url=address, headers=headers, timeout=PATIENCE) as client:
        yield client


def added(client: httpx.Client, project: int, url: str, *kinds: str) -> dict[str, Any]:
    answer = client.post(f"/api/projects/{project}/webhooks", json={"url": url, "kinds": list(kinds)})
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def send(store: Store) -> int:
    return asyncio.run(Sender(store, SECRET, allow_private=True).send_due())


def test_a_decision_by_votes_arrives_signed_with_the_secret_that_was_shown(
    store: Store, client: httpx.Client, receiver: Receiver
) -> None:
    project = make_project(store, 1)
    webhook = added(client, project, receiver.url, "item.decided")
    for voter in make_voters(store, project, 3):
        vote(store, voter, ask(store, voter).leases[0].id, "dog")
    assert send(store) == 1
    assert receiver.is_signed(0, webhook["secret"])
    (message,) = receiver.messages
    assert message["type"] == "item.decided"
    assert message["data"]["item"] == "0"
    assert message["data"]["label"] == "dog"
    again = client.get(f"/api/projects/{project}/webhooks/{webhook['id']}/secret").json()
    assert again == {"secret": webhook["secret"]}


def test_a_ping_is_sent_told_of_and_sent_again(store: Store, client: httpx.Client, receiver: Receiver) -> None:
    project = make_project(store, 1)
    path = f"/api/projects/{project}/webhooks/{added(client, project, receiver.url, 'budget.low')['id']}"
    receiver.statuses = [500]
    pinged = client.post(f"{path}/ping")
    assert (pinged.status_code, pinged.json()["due_at"]) == (202, store.clock())
    send(store)
    (failed,) = client.get(f"{path}/deliveries").json()
    assert (failed["kind"], failed["tries"], failed["answer"], failed["delivered_at"]) == (
        "webhook.ping",
        1,
        "500",
        None,
    )
    again = client.post(f"{path}/deliveries/{failed['id']}/redeliver")
    assert (again.status_code, again.json()["tries"]) == (202, 0)
    send(store)
    (arrived,) = client.get(f"{path}/deliveries").json()
    assert (arrived["answer"], arrived["due_at"], arrived["delivered_at"]) == ("204", None, store.clock())
    assert client.get(f"{path}/deliveries", params={"before": arrived["id"]}).json() == []
    assert len({headers["webhook-id"] for headers, _ in receiver.calls}) == 1


def test_a_webhook_is_turned_off_and_on_listed_and_deleted(
    store: Store, client: httpx.Client, receiver: Receiver
) -> None:
    project = make_project(store, 1)
    webhook = added(client, project, receiver.url, "item.decided", "item.reopened")
    path = f"/api/projects/{project}/webhooks"
    mine = f"{path}/{webhook['id']}"
    client.post(f"{mine}/ping")
    assert client.post(f"{mine}/state", json={"state": "off"}).json()["state"] == "off"
    assert send(store) == 0
    assert client.post(f"{mine}/ping").status_code == 409
    client.post(f"{mine}/state", json={"state": "active"})
    assert send(store) == 1
    (listed,) = client.get(path).json()
    assert listed == {name: value for name, value in webhook.items() if name != "secret"}
    client.post(f"{mine}/ping")
    assert client.delete(mine).status_code == 204
    assert send(store) == 0
    assert client.get(path).json() == []
    for call in (client.get(f"{mine}/secret"), client.delete(mine), client.post(f"{mine}/ping")):
        assert call.status_code == 404


def test_what_makes_no_sense_is_refused(store: Store, client: httpx.Client) -> None:
    project = make_project(store, 1)
    path = f"/api/projects/{project}/webhooks"
    for body in (
        {"url": "ftp://example.org", "kinds": ["item.decided"]},
        {"url": "https://example.org", "kinds": []},
        {"url": "https://example.org", "kinds": ["item.eaten"]},
        {"url": "https://example.org", "kinds": ["item.decided"], "secret": "mine"},
    ):
        assert client.post(path, json=body).status_code == 422
    assert (
        client.post("/api/projects/99/webhooks", json={"url": "https://a.b", "kinds": ["budget.low"]}).status_code
        == 404
    )
    assert client.get(f"{path}/1/deliveries").status_code == 404
    for _ in range(20):
        added(client, project, "https://example.org", "budget.low")
    full = client.post(path, json={"url": "https://example.org", "kinds": ["budget.low"]})
    assert (full.status_code, "at most 20" in full.text) == (409, True)


def test_webhooks_of_another_project_cannot_be_reached(store: Store, client: httpx.Client) -> None:
    first, second = make_project(store, 1), make_project(store, 1)
    webhook = added(client, first, "https://example.org", "item.decided")["id"]
    delivery = client.post(f"/api/projects/{first}/webhooks/{webhook}/ping").json()["id"]
    other = added(client, second, "https://example.org", "item.decided")["id"]
    assert client.get(f"/api/projects/{second}/webhooks/{webhook}/secret").status_code == 404
    path = f"/api/projects/{second}/webhooks/{other}/deliveries/{delivery}/redeliver"
    assert client.post(path).status_code == 404


def test_only_requesters_of_the_project_may(store: Store, client: httpx.Client) -> None:
    project = make_project(store, 1)
    webhook = added(client, project, "https://example.org", "item.decided")["id"]
    expert = new_account(store, "eve", "expert")
    new_member(store, project, expert, "expert")
    with store.write() as connection:
        reader = new_token(connection, 1, store.clock(), scopes=frozenset({"read"}), name="r")
    for headers, status in (
        ({"Authorization": ""}, 401),
        (session(store, expert), 403),
        ({"Authorization": f"Bearer {reader}"}, 403),
    ):
        for path in ("", f"/{webhook}/secret", f"/{webhook}/deliveries"):
            assert client.get(f"/api/projects/{project}/webhooks{path}", headers=headers).status_code == status


def test_the_service_refuses_its_own_network_unless_it_is_told_otherwise(store: Store) -> None:
    app = create_app(store, Settings(), SECRET)
    project, headers = make_project(store, 1), session(store, new_account(store))
    body = {"url": "http://169.254.169.254/latest", "kinds": ["item.decided"]}
    with served(app) as address:
        answer = httpx.post(f"{address}/api/projects/{project}/webhooks", json=body, headers=headers, timeout=PATIENCE)
    assert answer.status_code == 422
    assert "own network" in answer.json()["error"]
