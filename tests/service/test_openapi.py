"""The OpenAPI is complete, and nothing that it allows or forbids breaks the service."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DataObject, SearchStrategy
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from quorate.service.app import routes
from quorate.service.operations.invariants import broken_rules
from quorate.service.routes.examples import JSON
from quorate.service.routes.openapi import operations
from quorate.service.store.database import Store
from tests.service.fuzzing import Place, small_service
from tests.service.refusals import assert_refused_well
from tests.service.waiting import PATIENCE
from tests.sizes import sized

OPENAPI = routes().openapi()
SCHEMA = schemathesis.openapi.from_dict(OPENAPI)
LABELS = [f"{method} {path}" for method, path, _ in operations(OPENAPI)]
STREAMS = [
    f"{method} {path}"
    for method, path, operation in operations(OPENAPI)
    if "text/event-stream" in operation["responses"].get("200", {}).get("content", {})
]
NOWHERE = 2**40  # no project has this number
Case = schemathesis.Case[Any]
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
EXAMPLES = {"owner": sized(2, 15), "worker": sized(1, 8)}  # of each operation


def bodies(operation: dict[str, Any]) -> dict[str, Any]:
    """What an operation takes, by content type."""
    found: dict[str, Any] = operation.get("requestBody", {}).get("content", {})
    return found


WITH_BODY = [f"{method} {path}" for method, path, operation in operations(OPENAPI) if JSON in bodies(operation)]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder: Path = tmp_path_factory.mktemp("service")
    store = Store.open(f"sqlite:///{folder / 'quorate.db'}")
    with small_service(store, folder) as made:
        yield made
    store.close()


@pytest.mark.sized
@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("caller", EXAMPLES)
def test_whatever_is_sent_is_answered_as_documented(place: Place, caller: str, label: str) -> None:
    headers = place.owner() if caller == "owner" else place.worker()
    with requests.Session() as session:

        @given(case=cases(label), data=st.data())
        @settings(
            max_examples=EXAMPLES[caller],
            derandomize=True,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        def send(case: Case, data: DataObject) -> None:
            aim(case, place.ids, data)
            answer = case.call(
                base_url=place.url, session=session, headers=headers, timeout=PATIENCE, allow_redirects=False
            )
            case.validate_response(answer, checks=CHECKS)
            assert_refused_well(answer.status_code, answer.content)

        send()
    with place.store.read() as connection:
        assert not any(broken_rules(connection).values())


def cases(label: str) -> SearchStrategy[Case]:
    """Requests that the description allows, and where it forbids anything, those that it does not."""
    operation = SCHEMA.find_operation_by_label(label)
    assert operation is not None
    good = operation.as_strategy(generation_mode=schemathesis.GenerationMode.POSITIVE)
    if not (operation.path_parameters or operation.query or operation.body):
        return good
    return good | operation.as_strategy(generation_mode=schemathesis.GenerationMode.NEGATIVE)


def aim(case: Case, ids: dict[str, int], data: DataObject) -> None:
    """Name what is there, a project that is not, or whatever was drawn. A stream that is there would never end."""
    where = "nowhere" if case.operation.label in STREAMS else data.draw(st.sampled_from(["there", "nowhere", "drawn"]))
    known: dict[str, Any] = {name: ids[name] for name in case.path_parameters if name in ids}
    if where == "nowhere" and "project_id" in known:
        known = {"project_id": NOWHERE}
    if where != "drawn":
        case.path_parameters = {**case.path_parameters, **known}


@pytest.mark.parametrize("label", LABELS)
def test_an_operation_is_described(label: str) -> None:
    method, path = label.split()
    operation = OPENAPI["paths"][path][method.lower()]
    assert len(operation["summary"].split()) >= 2
    assert not operation["summary"].istitle()
    assert operation["tags"]


@pytest.mark.parametrize("label", WITH_BODY)
def test_the_example_of_a_body_is_understood(place: Place, label: str) -> None:
    method, path = label.split()
    example = bodies(OPENAPI["paths"][path][method.lower()])[JSON]["example"]
    answer = httpx.request(
        method, place.url + path.format(**place.ids), json=example, headers=place.owner(), timeout=PATIENCE
    )
    assert_refused_well(answer.status_code, answer.content)
    if answer.status_code == 422:
        assert not answer.json()["error"].startswith(("body", "the body"))
