"""The client against the service itself, on both databases."""

from collections.abc import Iterator

import pytest

from quorate.client import Client, ClientError, Vote
from quorate.service.store.database import Store
from tests.service.clients import owner_token, serving, voter_token
from tests.service.pools import make_project, make_voters

SETTINGS = {"name": "Pets", "questions": [{"name": "pet", "classes": ["cat", "dog"]}]}


@pytest.fixture
def url(store: Store) -> Iterator[str]:
    with serving(store) as address:
        yield address


@pytest.fixture
def owner(store: Store, url: str) -> Iterator[Client]:
    with Client(url, token=owner_token(store)) as client:
        yield client


@pytest.fixture
def project(store: Store) -> int:
    return make_project(store, 6)


@pytest.fixture
def worker(store: Store, url: str, project: int) -> Iterator[Client]:
    token = voter_token(store, project, make_voters(store, project, 1)[0])
    with Client(url, token=token) as client:
        yield client


def test_a_project_is_made_changed_and_listed(owner: Client) -> None:
    made = owner.projects.create(SETTINGS)
    assert (made.state, made.classes) == ("draft", {"pet": ["cat", "dog"]})
    changed = owner.projects.change(made.id, {**made.settings, "name": "Cats"})
    assert (changed.name, changed.settings_version) == ("Cats", 2)
    assert [one.name for one in owner.projects.list_all()] == ["Cats"]
    assert owner.projects.get(made.id) == changed
    assert "project.created" in {event.kind for event in owner.projects.events(made.id)}


def test_settings_are_tried_before_they_are_put_in_force(owner: Client, project: int) -> None:
    settings = owner.projects.get(project).settings
    assert owner.projects.preview(project, settings).reopened == 0


def test_states_are_refused_in_the_words_of_the_service(owner: Client, project: int) -> None:
    assert owner.projects.set_state(project, "paused").state == "paused"
    with pytest.raises(ClientError, match="a project that is paused cannot become estimate") as caught:
        owner.projects.set_state(project, "estimate")
    assert caught.value.status == 409


def test_votes_go_in_once_however_often_they_are_sent(owner: Client, worker: Client, project: int) -> None:
    batch = worker.work.next(project, 3)
    assert (batch.state, len(batch.leases)) == ("work", 3)
    assert batch.leases[0].item.content["text"].startswith("item")
    votes = [Vote(lease=one.lease, label="cat", seconds=1.5) for one in batch.leases]
    assert [one.outcome for one in worker.work.send(project, votes)] == ["counted"] * 3
    assert [one.outcome for one in worker.work.send(project, votes)] == ["repeated"] * 3
    seen = owner.projects.overview(project)
    assert (seen.votes, seen.spent, seen.n_tasks, seen.n_open) == (3, 3.0, 6, 6)
    assert seen.waiting == {"crowd": 6, "expert": 0}


def test_a_vote_is_changed_skipped_and_given_back(worker: Client, project: int) -> None:
    first, second, third = (one.lease for one in worker.work.next(project, 3).leases)
    receipt = worker.work.vote(project, first, "cat")
    assert receipt.vote is not None
    assert worker.work.amend(project, receipt.vote, "dog").outcome == "counted"
    assert worker.work.skip(project, second, note="no picture").outcome == "counted"
    assert worker.work.heartbeat(project, [third]) == [third]
    worker.work.give_back(project, [third])
    assert worker.work.heartbeat(project, [third]) == []


def test_work_ends_with_the_project(owner: Client, worker: Client, project: int) -> None:
    owner.projects.set_state(project, "done")
    assert worker.work.next(project).state == "done"


def test_a_worker_sees_no_more_than_work(worker: Client, project: int) -> None:
    with pytest.raises(ClientError, match="scope 'read'") as caught:
        worker.projects.overview(project)
    assert caught.value.status == 403


def test_a_wrong_token_is_told(url: str) -> None:
    with Client(url, token="qt_wrong") as client, pytest.raises(ClientError, match="unknown, ended or revoked"):
        client.projects.list_all()


def test_webhooks_are_added_tried_and_taken_away(owner: Client, project: int) -> None:
    made = owner.webhooks.add(project, "https://example.org/hook", ["item.decided"])
    assert made.secret == owner.webhooks.secret(project, made.id)
    ping = owner.webhooks.ping(project, made.id)
    assert [one.id for one in owner.webhooks.deliveries(project, made.id)] == [ping.id]
    assert owner.webhooks.redeliver(project, made.id, ping.id).message_id == ping.message_id
    assert [one.url for one in owner.webhooks.list_all(project)] == ["https://example.org/hook"]
    assert owner.webhooks.set_state(project, made.id, "off").state == "off"
    owner.webhooks.delete(project, made.id)
    assert owner.webhooks.list_all(project) == []
