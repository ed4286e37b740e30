"""A worker's credential opens its own work and nothing else: what leaks with a link is worth nothing."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from quorate.service.app import routes
from quorate.service.routes.http.openapi import JSON, operations
from quorate.service.store.database import Store
from quorate.service.store.tables import leases, votes
from tests.service.clients import voter_token
from tests.service.fuzzing import Place, small_service
from tests.service.pools import make_project, make_voters
from tests.service.waiting import PATIENCE

OPENAPI = routes().openapi()
OPERATIONS = {f"{method} {path}": operation for method, path, operation in operations(OPENAPI)}
WORK = {  # a worker's own: what is there for it in its project
    "GET /api/projects/{project_id}/visit",
    "POST /api/projects/{project_id}/next",
    "POST /api/projects/{project_id}/votes",
    "POST /api/projects/{project_id}/votes/{vote_id}/amend",
    "POST /api/projects/{project_id}/leases/heartbeat",
    "POST /api/projects/{project_id}/leases/return",
    "GET /api/projects/{project_id}/consent",
    "POST /api/projects/{project_id}/consent",
    "GET /api/projects/{project_id}/completion",
}
OPEN = {  # for anybody, and without a word about projects
    "GET /api/session",
    "DELETE /api/session",
    "POST /api/session",
    "POST /api/session/link",
    "POST /api/session/join",
    "POST /api/work/session",
    "GET /enter/{project_id}",
    "GET /healthz",
    "GET /readyz",
    "GET /metrics",  # from this machine; see the test below
}
FILE = {"what": "items", "form": "csv"}  # of exports
TICKET = {"ticket": f"1.9999999999.{'a' * 43}"}  # that nobody has signed
REFUSED = {401, 403, 404}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder: Path = tmp_path_factory.mktemp("service")
    store = Store.open(f"sqlite:///{folder / 'quorate.db'}")
    with small_service(store, folder) as made:
        yield made
    store.close()


@pytest.fixture
def worker(place: Place) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=place.url, headers=place.worker(), timeout=PATIENCE) as client:
        yield client


def call(client: httpx.Client, label: str, ids: dict[str, int]) -> httpx.Response:
    """A request that is right in all but who sends it."""
    method, path = label.split()
    content: dict[str, Any] = OPERATIONS[label].get("requestBody", {}).get("content", {})
    body = content[JSON]["example"] if JSON in content else None
    asked = [one["name"] for one in OPERATIONS[label].get("parameters", ()) if one["in"] == "query" and one["required"]]
    return client.request(method, path.format(**FILE, **TICKET, **ids), json=body, params=dict.fromkeys(asked, "1"))


def assert_silent(answer: httpx.Response) -> None:
    """Nothing of other voters, gold or what the machine believes."""
    for word in ("a note of another voter", "crowd1", "posterior", "gold", "prior", "purpose"):
        assert word not in answer.text


@pytest.mark.parametrize("label", sorted(OPERATIONS.keys() - WORK - OPEN))
def test_all_else_is_refused(worker: httpx.Client, place: Place, label: str) -> None:
    answer = call(worker, label, place.ids)
    assert answer.status_code in REFUSED
    assert_silent(answer)


@pytest.mark.parametrize("label", sorted(WORK))
def test_work_is_that_of_one_project(worker: httpx.Client, place: Place, label: str) -> None:
    mine = call(worker, label, place.ids)
    assert mine.status_code in (200, 204, 404, 409)
    assert_silent(mine)
    other = make_project(place.store, 3)
    assert call(worker, label, place.ids | {"project_id": other}).status_code in REFUSED


def test_what_others_have_in_hand_stays_theirs(worker: httpx.Client, place: Place) -> None:
    lease, base = place.ids["lease"], f"/api/projects/{place.ids['project_id']}"
    stolen = {"votes": [{"lease": lease, "key": "k", "label": "cat"}]}
    assert worker.post(f"{base}/votes", json=stolen).json()["votes"][0]["outcome"] == "late"
    assert worker.post(f"{base}/leases/heartbeat", json={"leases": [lease]}).json() == {"leases": []}
    assert worker.post(f"{base}/leases/return", json={"leases": [lease]}).status_code == 204
    changed = worker.post(f"{base}/votes/{place.ids['vote_id']}/amend", json={"key": "k2", "label": "cat"})
    assert changed.status_code == 404
    with place.store.read() as connection:
        assert connection.execute(leases.select().where(leases.c.id == lease)).one()


def test_checks_look_like_all_other_work(place: Place) -> None:
    told = []
    for gold, share in (({}, 0.0), ({0: 0, 1: 0, 2: 0}, 1.0)):  # work, then checks
        project = make_project(place.store, 6, gold=gold, workers={"gold_share": share})
        (voter,) = make_voters(place.store, project, 1)
        token = voter_token(place.store, project, voter)
        with httpx.Client(base_url=place.url, headers={"Authorization": f"Bearer {token}"}, timeout=PATIENCE) as client:
            (lease,) = client.post(f"/api/projects/{project}/next", json={"n": 1}).json()["leases"]
            vote = {"lease": lease["lease"], "key": "k", "label": "dog"}  # wrong, where it is a check
            (answer,) = client.post(f"/api/projects/{project}/votes", json={"votes": [vote]}).json()["votes"]
        told.append((*lease, *lease["item"], *lease["item"]["content"], answer["outcome"], answer["right"]))
    assert told[0] == told[1]
    with place.store.read() as connection:
        assert connection.execute(select(votes.c.purpose).where(votes.c.voter_id == voter)).scalar_one() == "gold"


def test_metrics_are_not_for_workers_through_a_proxy(worker: httpx.Client) -> None:
    assert worker.get("/metrics", headers={"X-Forwarded-For": "192.0.2.1"}).status_code == 403
