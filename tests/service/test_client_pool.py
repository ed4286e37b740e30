"""Items, files, workers and classifying by the client; on both databases."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from quorate.client import Client, ClientError
from quorate.service.store.database import Store
from tests.service.clients import owner_token, serving

SETTINGS = {
    "name": "Pets",
    "questions": [{"name": "pet", "classes": ["cat", "dog"]}],
    "policy": {"name": "fixed_votes", "options": {"n": 1}},
    "learner": {"name": "none"},
    "consent": {"version": "2", "text": "Votes are kept."},
}


@pytest.fixture
def owner(store: Store, tmp_path: Path) -> Iterator[Client]:
    with serving(store, tmp_path / "data") as url, Client(url, token=owner_token(store)) as client:
        yield client


@pytest.fixture
def project(owner: Client) -> int:
    return owner.projects.create(SETTINGS).id


def test_items_are_added_once_and_listed(owner: Client, project: int) -> None:
    items = [{"key": f"a{number}", "text": f"It purrs {number} times."} for number in range(120)]
    assert owner.items.add(project, items).added == 120
    again = owner.items.add(project, [items[0], {"key": "empty"}])
    assert (again.added, again.repeated, again.bad, again.errors[0]["row"]) == (0, 1, 1, 2)
    listed = list(owner.items.list_all(project))  # more than a page
    assert [item["key"] for item in listed] == [item["key"] for item in items]
    assert [item["key"] for item in owner.items.list_all(project, search="a11")] == [
        "a11",
        *(f"a11{n}" for n in range(10)),
    ]
    assert owner.items.get(project, listed[0]["id"])["tasks"][0]["question"] == "pet"


def test_a_file_is_read_to_its_end(owner: Client, project: int, tmp_path: Path) -> None:
    path = tmp_path / "items.csv"
    path.write_text("id,body\n1,It purrs.\n2,It barks.\n")
    found = owner.imports.upload(project, path, columns={"key": "id", "text": "body"})
    assert (found.state, found.added, found.bad) == ("done", 2, 0)
    assert owner.imports.list_all(project) == [found]
    with pytest.raises(ClientError, match=r"none\.csv cannot be read: No such file"):
        owner.imports.upload(project, tmp_path / "none.csv")


def test_a_file_that_is_none_is_told(owner: Client, project: int, tmp_path: Path) -> None:
    path = tmp_path / "items.zip"
    path.write_bytes(b"no zip")
    with pytest.raises(ClientError, match=r"items\.zip could not be read completely"):
        owner.imports.upload(project, path)


def test_a_worker_comes_in_by_a_link_agrees_and_votes(owner: Client, project: int) -> None:
    owner.items.add(project, [{"key": "a1", "text": "It purrs."}])
    owner.projects.set_state(project, "running")
    made = owner.workers.create(project, name="Ann")
    assert owner.workers.link(project, made.id) == made
    with Client(owner.url) as anybody:
        session = anybody.workers.open_link(made.link)
    with Client(owner.url, token=session.token) as ann:
        with pytest.raises(ClientError, match="agree to the consent"):
            ann.work.next(project)
        shown = ann.work.consent(project)
        assert (shown.agreed, shown.version, shown.text) == (False, "2", "Votes are kept.")
        ann.work.agree(project, "2")
        lease = ann.work.next(project).leases[0]
        assert ann.work.vote(project, lease.lease, "cat").outcome == "counted"
        assert ann.work.completion(project).code == "DONE"
        (seen,) = owner.workers.list_page(project)
        assert (seen.code, seen.votes, seen.due) == (made.code, 1, 1.0)
        one = owner.workers.get(project, made.id)
        assert (one.code, one.skill, one.questions, one.pay) == (
            made.code,
            None,
            {"pet": None},
            {"due": 1.0, "votes": 1},
        )
        owner.workers.block(project, made.id)
        assert ann.work.next(project).state == "failed"
        owner.workers.unblock(project, made.id)
        assert ann.work.next(project).state != "failed"


def test_a_panel_gets_its_entry_address_and_the_pay(owner: Client, project: int, tmp_path: Path) -> None:
    entry = owner.panels.show(project)
    assert owner.panels.links(project, ["p1"])["p1"].startswith(f"{entry.entry}?")
    owner.panels.save_pay(project, tmp_path / "pay.csv")
    assert (tmp_path / "pay.csv").read_text().count("\n") == 1  # its header
    with pytest.raises(ClientError, match="cannot be written: No such file"):
        owner.panels.save_pay(project, tmp_path / "no folder" / "pay.csv")


def test_what_is_classified_waits_for_people(owner: Client, project: int) -> None:
    owner.items.add(project, [{"key": "a1", "text": "It purrs."}])
    owner.projects.set_state(project, "running")
    found = owner.online.classify(project, {"text": "It barks."}, key="b1")
    assert (found.item, found.status, found.answers[0].question) == ("b1", "queued", "pet")
    assert owner.online.classify(project, {"text": "It barks."}, key="b1").id == found.id
    assert owner.online.result(project, found.id) == owner.online.result(project, "b1")
    (again,) = owner.online.classify_batch(project, [{"key": "b1", "content": {"text": "It barks."}}])
    assert again.id == found.id


def test_exports_are_streamed_to_a_file_or_row_by_row(owner: Client, project: int, tmp_path: Path) -> None:
    owner.items.add(project, [{"key": f"a{number}", "text": "It purrs."} for number in range(3)])
    assert [row["key"] for row in owner.exports.rows(project, "items")] == ["a0", "a1", "a2"]
    owner.exports.save(project, "items", tmp_path / "items.csv")
    assert (tmp_path / "items.csv").read_text().count("\n") == 4  # with its header
    with pytest.raises(ClientError):
        owner.exports.save(project, "items", tmp_path / "items.docx")
    assert not list(tmp_path.glob("items.docx*"))


def test_progress_is_told(owner: Client, project: int) -> None:
    owner.items.add(project, [{"key": "a", "text": "It purrs."}])
    found = owner.projects.progress(project)
    assert (found.points, found.forecast, found.certificate, found.votes_per_hour) == ([], None, None, None)
    assert found.fixed[0] == {"votes": 3, "spend": 3.0, "error": None}
    models = owner.projects.models(project)
    assert (models.question, models.versions, models.reliability, models.certificate) == ("pet", [], None, None)
    with pytest.raises(ClientError, match="there is no question 'weather'"):
        owner.projects.models(project, question="weather")
