"""Real items and events have the fields that the OpenAPI schema gives them, and no others."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from jsonschema_rs import Draft202012Validator

from quorate.service.app import create_app, routes
from quorate.service.config import Settings
from quorate.service.dashboard.overview import overview
from quorate.service.decisions import feed
from quorate.service.items import detail
from quorate.service.projects import projects
from quorate.service.projects.plan import plan_of
from quorate.service.routes.items import ItemDetail
from quorate.service.schemas import DecisionOut, OverviewOut
from quorate.service.store.database import Store
from quorate.service.streams.streams import Pace, Streams
from tests.service.people import new_account
from tests.service.pools import ask, make_project, make_voters, vote
from tests.service.routes.conftest import headers_of
from tests.service.serving import SECRET, served
from tests.service.waiting import PATIENCE

COMPONENTS = routes().openapi()["components"]


@pytest.fixture
def app(store: Store) -> FastAPI:
    app = create_app(store, Settings(), SECRET)
    app.state.streams = Streams(store, Pace(poll=0.01))
    return app


@pytest.fixture
def client(app: FastAPI, store: Store) -> Iterator[httpx.Client]:
    headers = headers_of(store, new_account(store, "olga", "owner"))
    with served(app) as address, httpx.Client(base_url=address, headers=headers, timeout=PATIENCE) as client:
        yield client
        app.state.streams.close()


def closed(schema: Any) -> Any:
    """Return a schema whose objects allow no other properties than those that it lists."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {key: closed(value) for key, value in schema.items()}
    return {"additionalProperties": False} | inner if isinstance(schema.get("properties"), dict) else inner


def assert_valid(name: str, value: Any) -> None:
    schema = {"$ref": f"#/components/schemas/{name}", "components": closed(COMPONENTS)}
    Draft202012Validator(schema).validate(value)


def decided_project(store: Store) -> int:
    """Return a project with two items that the crowd has decided, and one with a single vote."""
    project = make_project(store, 3)
    for voter, n in zip(make_voters(store, project, 3), (3, 2, 2), strict=True):
        for lease in ask(store, voter, n).leases:
            vote(store, voter, lease.id, "dog")
    return project


def events_of(client: httpx.Client, path: str) -> Iterator[dict[str, Any]]:
    """Yield the events of a stream as objects with the fields that each has."""
    with client.stream("GET", path, headers={"Last-Event-ID": "0"}) as response:
        fields: dict[str, Any] = {}
        for line in response.iter_lines():
            name, _, value = line.partition(": ")
            if name in ("event", "id", "data"):
                fields[name] = value if name == "event" else json.loads(value)
            elif not line and fields:
                yield fields
                fields = {}


def test_an_item_and_a_page_of_items_fit_their_schemas(client: httpx.Client, store: Store) -> None:
    path = f"/api/projects/{decided_project(store)}/items"
    for parameters in ({}, {"filter": "all"}, {"status": "crowd"}):
        page = client.get(path, params=parameters).json()
        assert page["items"]
        assert_valid("ItemPage", page)
    for item in client.get(path).json()["items"]:
        item_detail = client.get(f"{path}/{item['id']}").json()
        assert_valid("ItemDetail", item_detail)
        assert_valid("ItemDetail", client.post(f"{path}/{item['id']}/relabel", json={"label": "cat"}).json())


def test_models_keep_every_field_that_is_computed(store: Store) -> None:
    project = decided_project(store)
    with store.read() as connection:
        row = projects.get(connection, project)
        plan = plan_of(connection, project, row.settings_version)
        item = detail.item_details(connection, plan, 1)
        assert ItemDetail.model_validate(item).model_dump() == item
        counts = overview(connection, row)
        assert OverviewOut.model_validate(counts).model_dump() == counts
        for decision in feed.between(connection, project, 0, 100):
            assert DecisionOut.model_validate(decision).model_dump() == decision


def test_events_of_a_project_fit_their_schemas(client: httpx.Client, store: Store) -> None:
    events = events_of(client, f"/api/projects/{decided_project(store)}/stream")
    first, second = next(events), next(events)
    assert_valid("OverviewEvent", first)
    assert_valid("DecisionEvent", second)
    assert second["id"] == second["data"]["id"]


def test_the_event_of_a_result_fits_its_schema(client: httpx.Client, store: Store) -> None:
    project = decided_project(store)
    item = client.get(f"/api/projects/{project}/items", params={"status": "crowd"}).json()["items"][0]
    (event,) = events_of(client, f"/api/projects/{project}/results/{item['id']}/stream")
    assert_valid("ResultEvent", event)
