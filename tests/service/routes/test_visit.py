from typing import Any

import httpx
from sqlalchemy import select, update

from quorate.service.store.blobs import to_blob
from quorate.service.store.database import Store
from quorate.service.store.tables import tasks, voters
from tests.service.people import new_account, new_member
from tests.service.pools import ask, make_project, make_voters, vote
from tests.service.routes.conftest import headers_of
from tests.service.routes.managing import as_voter

Headers = dict[str, str]
PRICES = {"votes": {"crowd": 0.25, "expert": 2.0}}


def visit(people: httpx.Client, project: int, headers: Headers) -> Any:
    answer = people.get(f"/api/projects/{project}/visit", headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_visit_tells_all_that_a_page_begins_with(people: httpx.Client, store: Store) -> None:
    animal = {"name": "cat", "definition": "It purrs.", "examples": ["Tom"], "key": "c"}
    project = make_project(
        store,
        3,
        questions=[{"name": "pet", "text": "Which?", "classes": [animal, "dog"]}],
        consent={"version": "2", "text": "You may stop."},
        instructions="Look twice.",
        currency="EUR",
        prices=PRICES,
        workers={"batch": 3, "maximum_votes": 9},
    )
    (worker,) = make_voters(store, project, 1)
    seen = visit(people, project, as_voter(store, project, worker))
    assert [seen[name] for name in ("project", "kind", "state", "currency")] == ["pets", "single", "running", "EUR"]
    assert seen["voter"] == {"code": "crowd0", "kind": "crowd", "state": "active"}
    assert seen["instructions"] == "Look twice."
    assert seen["consent"] == {"version": "2", "text": "You may stop.", "url": None, "agreed": False}
    assert seen["questions"][0]["classes"][0] == animal
    assert seen["questions"][0]["holds"] is None
    assert seen["rules"] == {
        "batch": 3,
        "lease_seconds": 120.0,
        "amend_seconds": 600.0,
        "maximum_votes": 9,
        "practice": 0,
    }
    fresh = {"votes": 0, "practised": 0, "practice_left": 0, "earned": 0.0, "price": 0.25, "open": 3}
    assert seen["progress"] == fresh


def test_a_visit_counts_practice_votes_and_pay(people: httpx.Client, store: Store) -> None:
    project = make_project(store, 6, gold={0: 0, 1: 0}, prices=PRICES, workers={"practice": 3, "batch": 1})
    (worker,) = make_voters(store, project, 1)
    headers = as_voter(store, project, worker)
    assert visit(people, project, headers)["progress"]["practice_left"] == 2  # no more are known
    for done in (1, 2):
        vote(store, worker, ask(store, worker).leases[0].id)
        progress = visit(people, project, headers)["progress"]
        assert (progress["practised"], progress["practice_left"], progress["earned"]) == (done, 2 - done, 0.0)
    vote(store, worker, ask(store, worker).leases[0].id)
    progress = visit(people, project, headers)["progress"]
    assert (progress["votes"], progress["earned"], progress["open"]) == (1, 0.25, 4)


def test_practice_is_marked_and_checks_look_like_work(people: httpx.Client, store: Store) -> None:
    rules = {"practice": 1, "gold_share": 0.5, "batch": 6}
    project = make_project(store, 8, gold=dict.fromkeys(range(4), 0), workers=rules)
    (worker,) = make_voters(store, project, 1)
    headers = as_voter(store, project, worker)
    served = people.post(f"/api/projects/{project}/next", json={"n": 6}, headers=headers).json()["leases"]
    assert [lease["practice"] for lease in served] == [True]
    sent = {"votes": [{"lease": served[0]["lease"], "key": "a", "said": "skip"}], "next": 6}
    response = people.post(f"/api/projects/{project}/votes", json=sent, headers=headers).json()
    assert response["votes"][0]["right"] == "cat"
    assert {lease["practice"] for lease in response["next"]["leases"]} == {False}


def test_who_only_looks_becomes_no_voter(people: httpx.Client, owner: Headers, store: Store) -> None:
    project = make_project(store, 2, prices=PRICES, consent={"text": "..."}, workers={"practice": 3})
    seen = visit(people, project, owner)
    assert (seen["voter"]["kind"], seen["voter"]["state"], seen["consent"]["agreed"]) == ("expert", "new", True)
    assert (seen["progress"]["price"], seen["progress"]["practice_left"]) == (2.0, 0)
    assert people.get(f"/api/projects/{project}/completion", headers=owner).json()["url"] is None
    with store.read() as connection:
        assert connection.execute(select(voters.c.id)).all() == []
    people.post(f"/api/projects/{project}/next", json={"n": 1}, headers=owner)
    after = visit(people, project, owner)
    assert after["voter"]["code"] == seen["voter"]["code"]
    with store.read() as connection:
        assert connection.execute(select(voters.c.code)).scalars().all() == [seen["voter"]["code"]]


def test_a_worker_with_an_account_agrees_and_works(people: httpx.Client, store: Store) -> None:
    project = make_project(store, 2, consent={"version": "1", "text": "..."})
    account = new_account(store, "wim", "worker")
    new_member(store, project, account, "worker")
    headers = headers_of(store, account)
    assert visit(people, project, headers)["consent"]["agreed"] is False
    path = f"/api/projects/{project}"
    assert people.post(f"{path}/next", json={}, headers=headers).status_code == 403
    assert people.post(f"{path}/consent", json={"version": "1"}, headers=headers).status_code == 204
    assert visit(people, project, headers)["consent"]["agreed"] is True
    assert people.post(f"{path}/next", json={}, headers=headers).json()["state"] == "work"


def test_a_visit_is_for_those_who_may_vote(people: httpx.Client, store: Store) -> None:
    project, other = make_project(store, 1), make_project(store, 1)
    stranger = headers_of(store, new_account(store, "eve", "requester"))
    elsewhere = as_voter(store, other, make_voters(store, other, 1)[0])
    for headers in (stranger, elsewhere):
        assert people.get(f"/api/projects/{project}/visit", headers=headers).status_code == 403
    assert people.get(f"/api/projects/{project}/visit").status_code == 401
    olga = headers_of(store, new_account(store, "olga", "owner"))
    assert people.get("/api/projects/999/visit", headers=olga).status_code == 404


def told(people: httpx.Client, project: int, task: int, headers: Headers) -> tuple[int, Any]:
    answer = people.get(f"/api/projects/{project}/tasks/{task}/told", headers=headers)
    return answer.status_code, answer.json()


def test_an_expert_is_told_what_others_said_after_voting(people: httpx.Client, owner: Headers, store: Store) -> None:
    project = make_project(store, 1, prices=PRICES, audit_share=1.0)
    workers, (expert,) = make_voters(store, project, 3), make_voters(store, project, 1, kind="expert")
    headers = as_voter(store, project, expert)
    for worker, label in zip(workers, ("cat", "cat", "dog"), strict=True):
        task = vote_on_next(store, worker, label)
    with store.write() as connection:
        connection.execute(update(tasks).values(machine=to_blob([0.75, 0.25])))
    assert told(people, project, task, headers)[0] == 403
    assert told(people, project, task, as_voter(store, project, workers[0]))[0] == 403
    assert told(people, project, task, owner)[1]["status"] == "crowd"
    vote_on_next(store, expert, "dog")
    code, seen = told(people, project, task, headers)
    assert (code, seen["status"], seen["label"]) == (200, "expert", "dog")
    assert seen["machine"] == {"cat": 0.75, "dog": 0.25}
    assert sum(seen["posterior"].values()) == 1.0
    votes = [(vote["voter"], vote["kind"], vote["label"], vote["said"], vote["mine"]) for vote in seen["votes"]]
    assert votes == [
        ("crowd0", "crowd", "cat", "vote", False),
        ("crowd1", "crowd", "cat", "vote", False),
        ("crowd2", "crowd", "dog", "vote", False),
        ("expert0", "expert", "dog", "vote", True),
    ]
    assert told(people, project, 999, headers)[0] == 404


def vote_on_next(store: Store, voter: int, label: str) -> int:
    held = ask(store, voter).leases[0]
    vote(store, voter, held.id, label)
    return held.task_id
