"""Classifying items over real HTTP."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from quorate.service.accounts.credentials import new_token
from quorate.service.app import create_app
from quorate.service.config import Settings
from quorate.service.store.database import Store
from quorate.service.streams.streams import Pace, Streams
from quorate.service.webhooks import registry as webhooks
from quorate.service.webhooks.sender import Sender
from tests.service.people import new_account
from tests.service.pools import ask, make_project, make_voters, money, vote
from tests.service.receiver import receiving
from tests.service.serving import SECRET, served
from tests.service.taught import make_taught_project
from tests.service.waiting import PATIENCE

CLEAR, UNCLEAR = [3.0], [0.0]


def token(store: Store, account: int, *scopes: str) -> dict[str, str]:
    with store.write() as connection:
        token = new_token(connection, account, store.clock(), scopes=frozenset(scopes), name="t")
    return {"Authorization": f"Bearer {token}"}


@dataclass
class Service:
    client: httpx.Client
    owner: int

    def classify(self, project: int, *, headers: dict[str, str] | None = None, **body: Any) -> httpx.Response:
        return self.client.post(f"/api/projects/{project}/classify", json=body, headers=headers)


@pytest.fixture
def service(store: Store) -> Iterator[Service]:
    app = create_app(store, Settings(), SECRET)
    app.state.streams = Streams(store, Pace(poll=0.01, heartbeat=0.05))
    owner = new_account(store)
    headers = token(store, owner, "classify")
    with served(app) as address, httpx.Client(base_url=address, headers=headers, timeout=PATIENCE) as client:
        yield Service(client, owner)
        app.state.streams.close()


def test_what_the_machine_may_decide_alone_is_answered_at_once(store: Store, service: Service) -> None:
    project = make_taught_project(store)
    for numbers, label in ((CLEAR, "dog"), ([-3.0], "cat")):
        answer = service.classify(project, features=numbers)
        result = answer.json()
        assert (answer.status_code, result["status"], result["label"]) == (200, "decided", label)
        assert result["confidence"] > 0.95
        assert 0 <= result["expected_cost"] < 1
        assert result["reason"]
        assert [(answer["question"], answer["status"], answer["label"]) for answer in result["answers"]] == [
            ("pet", "machine", label)
        ]
        assert service.client.get(result["result_url"]).json() == result
        assert service.client.get(f"/api/projects/{project}/results", params={"key": result["item"]}).json() == result


def test_what_it_may_not_is_queued_for_people_and_told_when_they_have_decided(store: Store, service: Service) -> None:
    project = make_taught_project(store, costs={"error": 5})
    answer = service.classify(project, key="a/b ä", features=UNCLEAR)
    result = answer.json()
    assert (answer.status_code, result["status"], result["label"], result["item"]) == (202, "queued", None, "a/b ä")
    assert service.client.get(result["result_url"]).json() == result
    with service.client.stream("GET", f"{result['result_url']}/stream") as listened:
        lines = listened.iter_lines()
        assert ": still here" in lines  # nothing is decided yet
        for voter in make_voters(store, project, 9):
            leases = ask(store, voter).leases
            if leases:
                vote(store, voter, leases[0].id, "dog")
        (event,) = [json.loads(line[6:]) for line in lines if line.startswith("data: ")]  # then the stream ends
    assert (event["status"], event["label"], event["answers"][0]["status"]) == ("decided", "dog", "crowd")
    assert service.client.get(result["result_url"]).json() == event
    again = service.classify(project, key="a/b ä", features=UNCLEAR)
    assert (again.status_code, again.json()) == (200, event)


def test_a_decision_made_at_once_goes_to_webhooks_too(store: Store, service: Service) -> None:
    project = make_taught_project(store)
    with receiving() as receiver:
        with store.write() as connection:
            webhooks.add(connection, project, receiver.url, ["item.decided"], "nonce", "me", store.clock())
        service.classify(project, key="a", features=CLEAR)
        assert asyncio.run(Sender(store, SECRET, allow_private=True).send_due()) == 1
    assert [(message["data"]["item"], message["data"]["label"]) for message in receiver.messages] == [("a", "dog")]


def test_a_key_names_one_item_for_good(store: Store, service: Service) -> None:
    project = make_taught_project(store, prices={"votes": {"crowd": 1}, "machine": 0.25})
    first = service.classify(project, key="a", features=CLEAR).json()
    assert service.classify(project, key="a", features=CLEAR).json() == first
    assert money(store, project) == (250_000, 0)  # paid once
    other = service.classify(project, key="a", features=UNCLEAR)
    assert (other.status_code, "with other content" in other.text) == (409, True)


def test_the_classifier_is_paid_within_the_budget_and_people_are_asked_beyond(store: Store, service: Service) -> None:
    project = make_taught_project(store, prices={"votes": {"crowd": 1}, "machine": 0.4}, budget=1)
    statuses = [service.classify(project, key=str(n), features=CLEAR).json()["status"] for n in range(3)]
    assert statuses == ["decided", "decided", "queued"]
    assert money(store, project) == (800_000, 0)


def test_low_money_is_told_once(store: Store, service: Service) -> None:
    project = make_taught_project(store, prices={"votes": {"crowd": 1}, "machine": 0.4}, budget=0.8)
    with receiving() as receiver:
        with store.write() as connection:
            webhooks.add(connection, project, receiver.url, ["budget.low"], "nonce", "me", store.clock())
        for n in range(3):
            service.classify(project, key=str(n), features=CLEAR)
        asyncio.run(Sender(store, SECRET, allow_private=True).send_due())
    assert [message["data"] for message in receiver.messages] == [{"project": project, "spent": 0.8, "budget": 0.8}]


def test_a_batch_is_answered_in_order_and_taken_whole_or_not_at_all(store: Store, service: Service) -> None:
    project = make_taught_project(store)
    path = f"/api/projects/{project}/classify/batch"
    items = [{"key": "a", "features": CLEAR}, {"key": "b", "features": UNCLEAR}, {"key": "c", "features": [-2.0]}]
    items.append(items[0])
    results = service.client.post(path, json={"items": items}).json()["results"]
    assert [(result["item"], result["status"], result["label"]) for result in results] == [
        ("a", "decided", "dog"),
        ("b", "queued", None),
        ("c", "decided", "cat"),
        ("a", "decided", "dog"),
    ]
    wrong = service.client.post(path, json={"items": [{"key": "d", "features": CLEAR}, {"key": "e"}]})
    assert (wrong.status_code, wrong.json()["error"][:7]) == (422, "item 2:")
    assert service.client.get(f"/api/projects/{project}/results", params={"key": "d"}).status_code == 404
    for refused in ([], [{"features": CLEAR}] * 101):
        assert service.client.post(path, json={"items": refused}).status_code == 422


def test_without_a_classifier_people_are_asked(store: Store, service: Service) -> None:
    project = make_project(store, 1)
    answer = service.classify(project, content={"text": "It purrs."}, kind="text")
    assert (answer.status_code, answer.json()["answers"][0]["status"]) == (202, "asking")


def test_a_paused_project_queues_and_one_that_is_done_refuses(store: Store, service: Service) -> None:
    for state, status in (("paused", 202), ("done", 409)):
        project = make_taught_project(store)
        headers = token(store, service.owner, "manage")
        service.client.post(f"/api/projects/{project}/state", json={"state": state}, headers=headers)
        assert service.classify(project, features=CLEAR).status_code == status


def test_of_a_screening_project_the_answer_is_whether_it_is_included(store: Store, service: Service) -> None:
    criteria = [{"name": name, "classes": ["no", "yes"], "holds": "yes"} for name in ("furry", "tame")]
    project = make_taught_project(store, kind="screening", questions=criteria)
    result = service.classify(project, features=[-3.0]).json()
    assert (result["status"], result["label"]) == ("decided", "excluded")
    assert {answer["question"] for answer in result["answers"]} == {"furry", "tame"}


WRONG: list[dict[str, Any]] = [
    {},
    {"content": {}},
    {"content": {"text": " "}},
    {"content": {"text": "a", "colour": "b"}},
    {"content": {"text": "a"}, "kind": "image"},
    {"content": {"image": "file:///etc/passwd"}},
    {"features": []},
    {"features": ["a"]},
    {"features": [1.0, 2.0]},
    {"key": "", "features": [1.0]},
    {"key": "a" * 201, "features": [1.0]},
    {"key": "a\0", "features": [1.0]},
    {"features": [1.0], "gold": {"pet": "dog"}},
]


def test_what_cannot_be_classified_is_refused(store: Store, service: Service) -> None:
    project = make_taught_project(store)
    service.classify(project, key="first", features=CLEAR)
    for body in WRONG:
        answer = service.classify(project, **body)
        assert answer.status_code == 422, body
        assert answer.json()["error"]


def test_only_those_who_may_classify_can(store: Store, service: Service) -> None:
    project, other = make_taught_project(store), make_taught_project(store)
    result = service.classify(project, features=CLEAR).json()
    stranger = new_account(store, "sam", "requester")
    for headers, status in (
        ({"Authorization": ""}, 401),
        (token(store, service.owner, "read"), 403),
        (token(store, service.owner, "vote"), 403),
        (token(store, stranger, "classify"), 403),
    ):
        assert service.classify(project, headers=headers, features=CLEAR).status_code == status
        for path in (result["result_url"], f"{result['result_url']}/stream"):
            assert service.client.get(path, headers=headers).status_code == status
    assert service.classify(project, headers=token(store, service.owner, "manage"), features=CLEAR).status_code == 200
    assert service.client.get(f"/api/projects/{other}/results/{result['id']}").status_code == 404
    assert service.client.get(f"/api/projects/{project}/overview").status_code == 403  # classify is not read
