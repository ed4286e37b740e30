import io
from collections.abc import Iterator
from pathlib import Path

import httpx
import polars as pl
import pytest

from quorate.service.exports.export import TABLES
from quorate.service.routes import exports
from quorate.service.store.database import Store
from tests.service.pools import ask, make_project, make_voters, vote
from tests.service.routes.managing import as_stranger, as_voter, client_of


@pytest.fixture
def client(store: Store, tmp_path: Path) -> Iterator[httpx.Client]:
    with client_of(store, tmp_path / "data", exports.router) as client:
        yield client


@pytest.fixture
def project(store: Store) -> int:
    project = make_project(store)
    for voter in make_voters(store, project, 2):
        for lease in ask(store, voter, 4).leases:
            vote(store, voter, lease.id, "cat")
    return project


@pytest.mark.parametrize("what", list(TABLES))
def test_downloads(client: httpx.Client, project: int, what: str) -> None:
    answer = client.get(f"/api/projects/{project}/exports/{what}.csv")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.headers["content-disposition"] == f'attachment; filename="project-{project}-{what}.csv"'
    table = pl.read_csv(answer.content)
    parquet = client.get(f"/api/projects/{project}/exports/{what}.parquet")
    assert pl.read_parquet(io.BytesIO(parquet.content)).columns == table.columns


def test_label_studio_and_manifest(client: httpx.Client, project: int) -> None:
    assert len(client.get(f"/api/projects/{project}/exports/items.json").json()) == 4
    assert len(client.get(f"/api/projects/{project}/exports/items.manifest").text.splitlines()) == 4


def test_nothing_to_tell_is_an_empty_answer(client: httpx.Client, store: Store) -> None:
    answer = client.get(f"/api/projects/{make_project(store, 1)}/exports/votes.jsonl")
    assert (answer.status_code, answer.content) == (200, b"")


@pytest.mark.parametrize("path", ["secrets.csv", "votes.json", "items.exe", "items", "..csv"])
def test_what_there_is_not(client: httpx.Client, project: int, path: str) -> None:
    assert client.get(f"/api/projects/{project}/exports/{path}").status_code == 404


def test_only_requesters_may(client: httpx.Client, store: Store, project: int) -> None:
    (voter,) = make_voters(store, project, 1, kind="expert")
    path = f"/api/projects/{project}/exports/votes.csv"
    assert client.get(path, headers=as_voter(store, project, voter)).status_code == 403
    assert client.get(path, headers=as_stranger(store)).status_code == 403
    assert client.get(path, headers={"Authorization": "Bearer wrong"}).status_code == 401
    assert client.get("/api/projects/99/exports/votes.csv").status_code == 404


def test_whoever_leaves_early_frees_the_connection(client: httpx.Client, store: Store, project: int) -> None:
    for _ in range(40):  # more than there are connections
        with client.stream("GET", f"/api/projects/{project}/exports/items.csv") as answer:
            assert answer.status_code == 200
    assert client.get(f"/api/projects/{project}/exports/items.csv").status_code == 200
