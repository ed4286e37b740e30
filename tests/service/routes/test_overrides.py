"""One item with all that is known of it, and what a requester says about it, over HTTP."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import select, update

from quorate.service.decisions.activation import move
from quorate.service.learner.loop import Learner
from quorate.service.routes import items, projects
from quorate.service.routes import overrides as overriding
from quorate.service.store.blobs import to_blob
from quorate.service.store.database import Store
from quorate.service.store.tables import tasks
from tests.service.pools import ask, make_project, make_voters, vote
from tests.service.routes.managing import as_stranger, as_voter, client_of
from tests.service.taught import make_taught_project

PRICES = {"votes": {"crowd": 0.5, "expert": 5.0}}


@pytest.fixture
def client(store: Store, tmp_path: Path) -> Iterator[httpx.Client]:
    with client_of(store, tmp_path / "data", items.router, overriding.router, projects.router) as client:
        yield client


def item_of(client: httpx.Client, project: int, key: str = "0") -> dict[str, Any]:
    rows = client.get(f"/api/projects/{project}/items", params={"search": key}).json()["items"]
    return dict(client.get(f"/api/projects/{project}/items/{rows[0]['id']}").json())


def say(client: httpx.Client, project: int, item: int, act: str, **body: Any) -> dict[str, Any]:
    answer = client.post(f"/api/projects/{project}/items/{item}/{act}", json=body)
    assert answer.status_code == 200, answer.text
    (task,) = answer.json()["tasks"]
    return dict(task)


def test_belief_moves_with_every_vote_that_counts(client: httpx.Client, store: Store) -> None:
    project = make_project(store, 1, prices=PRICES, policy={"name": "expected_loss"}, costs={"error": 60})
    assert [step["votes"] for step in item_of(client, project)["tasks"][0]["path"]] == [0]
    taken = []
    for voter, label in zip(make_voters(store, project, 3), ("cat", "dog", "cat"), strict=True):
        (lease,) = ask(store, voter).leases
        taken.append(vote(store, voter, lease.id, label).vote)
    (task,) = item_of(client, project)["tasks"]
    assert [step["after"] for step in task["path"]] == [None, *taken]
    cats = [step["posterior"]["cat"] for step in task["path"]]
    assert cats[1] > cats[0]
    assert cats[2] < cats[1]
    assert cats[3] > cats[2]
    assert task["path"][-1]["posterior"] == pytest.approx(task["posterior"], abs=1e-5)
    assert task["n_votes"] == 3
    expected = {"leased", "value", "expected_cost", "audited", "model_version", "ambiguity", "machine", "wish"}
    assert expected <= set(task)


def test_it_is_told_why_an_item_waits_is_asked_and_is_decided(client: httpx.Client, store: Store) -> None:
    project = make_project(
        store,
        2,
        gold={1: 0},
        state=None,
        prices=PRICES,
        currency="EUR",
        policy={"name": "fixed_votes", "options": {"n": 1}},
    )

    def told(key: str = "0") -> str:
        return str(item_of(client, project, key)["tasks"][0]["why"])

    assert told() == "It waits: the project has not started."
    move(store, project, "running", "test")
    assert told() == "The crowd is asked: it does not have the required votes yet."
    assert item_of(client, project)["tasks"][0]["price"] == 0.5
    move(store, project, "paused", "test")
    assert told().endswith("Nobody is asked while the project is paused.")
    move(store, project, "running", "test")
    (voter,) = make_voters(store, project, 1)
    while (served := ask(store, voter)).leases:
        vote(store, voter, served.leases[0].id, "cat")
    assert told().startswith("The crowd decided with 1 vote, ")
    assert told("1") == "Its label was known from the start."
    with store.write() as connection:
        connection.execute(update(tasks).where(tasks.c.n_votes == 1).values(label=1, machine=to_blob([0.1, 0.9])))
    assert told().startswith("The classifier decided, against 1 vote, ")  # a cat, says the crowd
    (expert,) = make_voters(store, project, 1, kind="expert")
    number = item_of(client, project)["id"]
    task = say(client, project, number, "expert")
    assert (task["why"], task["wish"], task["price"]) == (
        "An expert is asked: a requester asked for an expert.",
        "expert",
        5.0,
    )
    vote(store, expert, ask(store, expert).leases[0].id, "dog")
    (task,) = item_of(client, project)["tasks"]
    assert (task["why"], task["wish"]) == ("An expert decided on it.", None)
    assert task["path"][-1]["posterior"] == {"cat": 0.0, "dog": 1.0}
    task = say(client, project, number, "relabel", label="cat")
    assert (task["why"], task["wish"], task["gold"]) == ("A requester gave it this label.", "label", "cat")
    assert (task["path"][-1]["after"], task["path"][-1]["posterior"]) == (None, {"cat": 1.0, "dog": 0.0})
    kinds = [event["kind"] for event in client.get(f"/api/projects/{project}/events").json()]
    assert kinds[:2] == ["item.relabelled", "item.sent_to_expert"]


def test_a_vote_that_pays_is_told_with_its_price(client: httpx.Client, store: Store) -> None:
    project = make_project(
        store, 1, prices=PRICES, currency="EUR", policy={"name": "expected_loss"}, costs={"error": 60}
    )
    with store.write() as connection:
        connection.execute(update(tasks).values(status="asking", ask="crowd", wanted=1, value=2.5, reason="worth it"))
        connection.execute(update(tasks).values(priority=5.0))
    why = item_of(client, project)["tasks"][0]["why"]
    assert why == "The crowd is asked: a vote costs 0.5 EUR, and is expected to save 2.5 EUR more than that."


def test_what_the_machine_says_is_shown(client: httpx.Client, store: Store) -> None:
    project = make_taught_project(store)
    new = [{"key": "sure", "features": [2.5]}]
    assert client.post(f"/api/projects/{project}/items", json=new).json()["added"] == 1
    minutes = iter(range(0, 6000, 60))
    learner = Learner(store, clock=lambda: float(next(minutes)))
    for _ in range(3):
        learner.run_due_rounds()
    (task,) = item_of(client, project, "sure")["tasks"]
    assert task["machine"]["dog"] > 0.9
    assert task["path"][0]["posterior"]["dog"] > 0.5


def test_an_item_is_opened_again_and_back(client: httpx.Client, store: Store) -> None:
    project = make_project(store, 1, policy={"name": "fixed_votes", "options": {"n": 1}})
    first, second = make_voters(store, project, 2)
    vote(store, first, ask(store, first).leases[0].id, "cat")
    number = item_of(client, project)["id"]
    task = say(client, project, number, "reopen", question="pet")
    assert (task["status"], task["wish"], task["why"]) == (
        "asking",
        "crowd",
        "The crowd is asked: a requester asked for one more vote.",
    )
    again = client.post(f"/api/projects/{project}/items/{number}/reopen", json={})
    assert (again.status_code, "open already" in again.json()["error"]) == (409, True)
    vote(store, second, ask(store, second).leases[0].id, "cat")
    (task,) = item_of(client, project)["tasks"]
    assert (task["status"], task["wish"], task["n_votes"]) == ("crowd", None, 2)


def test_only_requesters_say_something_about_items(client: httpx.Client, store: Store) -> None:
    project = make_project(store, 1)
    number = item_of(client, project)["id"]
    (voter,) = make_voters(store, project, 1)
    for headers in (as_voter(store, project, voter), as_stranger(store)):
        for act, body in (("relabel", {"label": "cat"}), ("reopen", {}), ("expert", {})):
            answer = client.post(f"/api/projects/{project}/items/{number}/{act}", json=body, headers=headers)
            assert answer.status_code == 403
    path = f"/api/projects/{project}/items"
    assert client.post(f"{path}/{number}/relabel", json={}).status_code == 422
    assert client.post(f"{path}/{number}/relabel", json={"label": "cow"}).status_code == 422
    assert client.post(f"{path}/{number}/relabel", json={"label": "cat", "question": "x"}).status_code == 422
    assert client.post(f"{path}/999/relabel", json={"label": "cat"}).status_code == 404
    with store.read() as connection:
        assert connection.execute(select(tasks.c.wish)).scalars().all() == [None]
