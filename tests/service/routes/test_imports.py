import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from quorate.service.decisions.activation import start
from quorate.service.routes import imports, item_media, items
from quorate.service.store.database import Store
from tests.service.imports.importing import QUESTIONS, new_project, pool
from tests.service.imports.reading import png
from tests.service.imports.test_detect_media import zip_of
from tests.service.pools import ask, make_voters, vote
from tests.service.routes.managing import as_stranger, as_voter, client_of


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def client(store: Store, folder: Path) -> Iterator[httpx.Client]:
    with client_of(store, folder, imports.router, items.router, item_media.router) as client:
        yield client


@pytest.fixture
def project(store: Store) -> int:
    return new_project(store, QUESTIONS)


def send(client: httpx.Client, project: int, data: bytes, name: str, **fields: str) -> httpx.Response:
    return client.post(f"/api/projects/{project}/imports?wait=true", files={"file": (name, data)}, data=fields)


def test_a_file_is_sent_and_read(client: httpx.Client, store: Store, project: int, folder: Path) -> None:
    answer = send(client, project, b"id,text\n1,one\n2,\n", "pets.csv")
    assert answer.status_code == 202
    progress = answer.json()
    assert (progress["state"], progress["added"], progress["bad"]) == ("done", 1, 1)
    assert progress["errors"][0]["row"] == 2
    assert list((folder / "uploads").iterdir()) == []
    assert client.get(f"/api/projects/{project}/imports/{progress['id']}").json() == progress
    assert client.get(f"/api/projects/{project}/imports").json() == [progress]
    assert pool(store, project).keys() == {"1"}


def test_columns_and_format_can_be_named(client: httpx.Client, project: int) -> None:
    columns = json.dumps({"text": "words", "gold": {"pet": "what"}})
    progress = send(client, project, b"id,words,what\n1,purrs,cat\n", "pets.dat", format="csv", columns=columns).json()
    assert (progress["state"], progress["added"]) == ("done", 1)
    item = client.get(f"/api/projects/{project}/items").json()["items"][0]
    assert [task["gold"] for task in item["tasks"]] == ["cat", None]


@pytest.mark.parametrize(
    ("name", "fields", "message"),
    [
        ("pets.docx", {}, "name one of csv"),
        ("pets.csv", {"format": "folder"}, "no format 'folder' to upload"),
        ("pets.csv", {"columns": "{"}, "columns: "),
        ("pets.csv", {"columns": '{"body": "x"}'}, "columns: body"),
        ("pets.csv", {"columns": '{"gold": {"colour": "x"}}'}, "no question 'colour'"),
    ],
)
def test_what_cannot_be_read_is_refused(
    client: httpx.Client, project: int, folder: Path, name: str, fields: dict[str, str], message: str
) -> None:
    answer = send(client, project, b"id,text\n1,one\n", name, **fields)
    assert answer.status_code == 422
    assert message in answer.json()["error"]
    assert list((folder / "uploads").iterdir()) == []


FORM = {"Content-Type": "multipart/form-data; boundary=b"}


@pytest.mark.parametrize(
    ("headers", "body", "message"),
    [
        ({"Content-Type": "text/csv"}, b"id,text", "as a form"),
        ({"Content-Type": "multipart/form-data"}, b"x", "as a form"),
        (FORM, b"not a form", "broken"),
        (FORM, b"", "no complete part"),
        (
            FORM,
            b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nid,te',
            "no complete part",
        ),
        (FORM, b'--b\r\nContent-Disposition: form-data; name="other"\r\n\r\nx\r\n--b--\r\n', "no complete part"),
    ],
)
def test_broken_forms_leave_nothing(
    client: httpx.Client, project: int, folder: Path, headers: dict[str, str], body: bytes, message: str
) -> None:
    answer = client.post(f"/api/projects/{project}/imports", headers=headers, content=body)
    assert answer.status_code == 422
    assert message in answer.json()["error"]
    assert list(folder.rglob("*")) in ([], [folder / "uploads"])


def test_only_requesters_of_the_project_may(client: httpx.Client, store: Store, project: int) -> None:
    (voter,) = make_voters(store, project, 1)
    for headers in (as_voter(store, project, voter), as_stranger(store)):
        for method, path in (
            ("POST", "imports"),
            ("GET", "imports"),
            ("GET", "items"),
            ("GET", "items/1"),
            ("GET", "imports/1"),
        ):
            answer = client.request(method, f"/api/projects/{project}/{path}", headers=headers)
            assert answer.status_code == 403, (method, path)
        assert client.post(f"/api/projects/{project}/items", headers=headers, json=[{"key": "1"}]).status_code == 403
    assert client.get(f"/api/projects/{project}/items", headers={"Authorization": "Bearer no"}).status_code == 401
    assert client.get("/api/projects/99/items").status_code == 404
    assert client.post("/api/projects/99/imports").status_code == 404
    assert pool(store, project) == {}


def add(client: httpx.Client, project: int, *new: dict[str, Any]) -> dict[str, Any]:
    answer = client.post(f"/api/projects/{project}/items", json=list(new))
    assert answer.status_code == 200, answer.text
    response: dict[str, Any] = answer.json()
    return response


def test_a_few_items_as_json(client: httpx.Client, store: Store, project: int) -> None:
    new: list[dict[str, Any]] = [
        {"key": "1", "text": "purrs", "gold": {"pet": "cat"}},
        {"key": "2", "text_a": "a", "text_b": "b"},
        {"key": "3"},
        {"key": "4", "text": "x", "gold": {"colour": "red"}},
        {"key": "5", "text": "x", "gold": {"pet": "cow"}},
        {"key": "6", "features": {"width": 1.5}},
        {"key": "7", "image": "javascript:alert(1)"},
    ]
    outcome = add(client, project, *new)
    assert (outcome["added"], outcome["repeated"], [error["row"] for error in outcome["errors"]]) == (
        3,
        0,
        [3, 4, 5, 7],
    )
    assert add(client, project, *new)["repeated"] == 3
    assert pool(store, project).keys() == {"1", "2", "6"}


def test_items_come_by_pages(client: httpx.Client, project: int) -> None:
    add(client, project, *({"key": f"{'ab'[n % 2]}{n}", "text": f"text {n}"} for n in range(25)))
    listed = [item["key"] for item in pages(client, project)]
    assert listed == [f"{'ab'[n % 2]}{n}" for n in range(25)]
    assert [item["key"] for item in pages(client, project, search="b1")] == ["b1", "b11", "b13", "b15", "b17", "b19"]
    assert sorted(item["key"] for item in pages(client, project, status="waiting", question="mood")) == sorted(listed)
    assert len(list(pages(client, project, status="waiting", search="a"))) == 13
    assert list(pages(client, project, search="a%")) == []
    assert list(pages(client, project, status="crowd")) == []


def pages(client: httpx.Client, project: int, **query: str) -> Iterator[dict[str, Any]]:
    after: str | None = None
    while True:
        parameters: dict[str, Any] = query | {"n": 4} | ({"after": after} if after else {})
        page = client.get(f"/api/projects/{project}/items", params=parameters).json()
        assert len(page["items"]) <= 4
        yield from page["items"]
        after = page["next"]
        if after is None:
            return


@pytest.mark.parametrize(
    "query",
    [
        {"after": "x"},
        {"after": "1_x", "status": "waiting"},
        {"after": "nan_", "status": "asking"},
        {"question": "no", "status": "asking"},
        {"n": "0"},
    ],
)
def test_pages_that_make_no_sense(client: httpx.Client, project: int, query: dict[str, str]) -> None:
    assert client.get(f"/api/projects/{project}/items", params=query).status_code == 422


def test_one_item_with_its_votes(client: httpx.Client, store: Store) -> None:
    project = new_project(store)
    add(client, project, {"key": "1", "text": "purrs", "features": [1, 2]})
    start(store, project, "running", "test")
    (voter,) = make_voters(store, project, 1)
    (lease,) = ask(store, voter).leases
    vote(store, voter, lease.id, "dog")
    number = client.get(f"/api/projects/{project}/items").json()["items"][0]["id"]
    item = client.get(f"/api/projects/{project}/items/{number}").json()
    assert item["features"] == [1, 2]
    (task,) = item["tasks"]
    assert [(vote["voter"], vote["label"], vote["amendment"]) for vote in task["votes"]] == [("crowd0", "dog", 0)]
    assert sum(task["posterior"].values()) == pytest.approx(1)
    assert client.get(f"/api/projects/{project}/items/999").status_code == 404


def test_files_are_shown_to_those_who_have_them_in_hand(client: httpx.Client, store: Store) -> None:
    project = new_project(store)
    send(client, project, zip_of({"1.png": png(1)}), "pets.zip")
    send(client, project, b"html\n<script>alert(1)</script>", "pages.csv")
    start(store, project, "running", "test")
    image, page = (item["tasks"][0]["id"] for item in client.get(f"/api/projects/{project}/items").json()["items"])
    shown_image = client.get(f"/api/projects/{project}/tasks/{image}/media")
    assert shown_image.content == png(1)
    assert shown_image.headers["content-type"] == "image/png"
    assert shown_image.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in shown_image.headers["content-security-policy"]
    shown_page = client.get(f"/api/projects/{project}/tasks/{page}/html")
    assert shown_page.text == "<script>alert(1)</script>"
    assert shown_page.headers["content-security-policy"].startswith("sandbox; default-src 'none'")
    assert client.get(f"/api/projects/{project}/tasks/{page}/media").status_code == 404
    assert client.get(f"/api/projects/{project}/tasks/{image}/html").status_code == 404

    voter, other = make_voters(store, project, 2)
    assert len(ask(store, voter, 2).leases) == 2
    path = f"/api/projects/{project}/tasks/{image}/media"
    assert client.get(path, headers=as_voter(store, project, voter)).content == png(1)
    assert client.get(path, headers=as_voter(store, project, other)).status_code == 404
    assert client.get(path, headers=as_stranger(store)).status_code == 403
    elsewhere = new_project(store)
    assert client.get(f"/api/projects/{elsewhere}/tasks/{image}/media").status_code == 404
