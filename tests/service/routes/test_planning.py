from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from quorate.service.accounts.credentials import new_session
from quorate.service.routes import planning as designing
from quorate.service.store.database import Store
from quorate.service.store.tables import events, projects
from tests.service.people import new_account
from tests.service.pools import make_project, make_voters
from tests.service.routes.managing import as_voter, bearer, client_of

IDEA: dict[str, Any] = {
    "settings": {"name": "Pets", "questions": [{"name": "pet", "classes": ["cat", "dog"]}]},
    "items": 500,
    "accuracy": 0.8,
}


@pytest.fixture
def client(store: Store, tmp_path: Path) -> Iterator[httpx.Client]:
    with client_of(store, tmp_path / "data", designing.router) as client:
        yield client


def test_a_file_is_looked_into_and_not_kept(client: httpx.Client, tmp_path: Path) -> None:
    data = b"id,text,label\n1,It purrs.,cat\n2,It barks.,dog\n3,It meows.,cat\n"
    answer = client.post("/api/look", files={"file": ("pets.csv", data)})
    assert answer.status_code == 200, answer.text
    seen = answer.json()
    assert (seen["format"], seen["kind"], seen["labels"]) == ("csv", "text", ["label"])
    assert seen["columns"] == {
        "key": "id",
        "text": "text",
        **dict.fromkeys(("text_a", "text_b", "image", "audio", "html")),
    }
    assert seen["header"][2] == {
        "name": "label",
        "examples": ["cat", "dog"],
        "distinct": 2,
        "values": ["cat", "dog"],
        "numbers": False,
    }
    assert len(seen["rows"]) == 3
    assert list((tmp_path / "data" / "uploads").iterdir()) == []
    named = client.post("/api/look", files={"file": ("x", b'{"text": "a"}\n')}, data={"format": "jsonl"})
    assert named.json()["format"] == "jsonl"


@pytest.mark.parametrize(("name", "data"), [("x.csv", b""), ("x.exe", b"MZ"), ("x.zip", b"PK"), ("x.parquet", b"PAR1")])
def test_what_cannot_be_looked_into_is_told(client: httpx.Client, tmp_path: Path, name: str, data: bytes) -> None:
    answer = client.post("/api/look", files={"file": (name, data)})
    assert answer.status_code == 422, answer.text
    assert answer.json()["error"]
    assert list((tmp_path / "data" / "uploads").iterdir()) == []


def test_a_project_is_foretold_and_nothing_is_stored(client: httpx.Client, store: Store) -> None:
    forecast = client.post("/api/forecast", json=IDEA).json()
    assert forecast["items"] == 500
    assert forecast["strategies"]["fixed_3"]["votes"] == {"value": 1500.0, "low": 1500.0, "high": 1500.0}
    engine = forecast["strategies"]["engine"]
    assert engine["spend"]["low"] <= engine["spend"]["value"] <= engine["spend"]["high"]
    with store.read() as connection:
        assert connection.execute(select(projects.c.id)).all() == connection.execute(select(events.c.id)).all() == []


@pytest.mark.parametrize(
    "change",
    [
        {"accuracy": 0.4},
        {"accuracy": 2},
        {"items": 0},
        {"settings": {"name": "x"}},
        {"settings": {"name": "x", "questions": [{"classes": ["a", "b"]}], "nonsense": 1}},
    ],
)
def test_an_idea_that_makes_no_sense_is_refused(client: httpx.Client, change: dict[str, Any]) -> None:
    answer = client.post("/api/forecast", json=IDEA | change)
    assert answer.status_code == 422
    assert answer.json()["error"]


def test_only_who_may_make_projects_designs_some(client: httpx.Client, store: Store) -> None:
    project = make_project(store, 1)
    account = new_account(store, "ed", "expert")
    with store.write() as connection:
        expert = bearer(new_session(connection, account, store.clock()))
    for headers in (as_voter(store, project, make_voters(store, project, 1)[0]), expert):
        assert client.post("/api/forecast", json=IDEA, headers=headers).status_code == 403
        look = client.post("/api/look", files={"file": ("x.csv", b"text\na\n")}, headers=headers)
        assert look.status_code == 403
