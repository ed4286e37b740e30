"""The OpenAPI is complete, and nothing that it allows or forbids breaks the service."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import requests
import schemathesis
from fastapi import FastAPI
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
from quorate.service.projects.settings import ProjectSettings
from quorate.service.routes.http.openapi import JSON, operations
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
SCHEMAS = OPENAPI["components"]["schemas"]
RESPONSES = {
    f"{method} {path}": response
    for method, path, operation in operations(OPENAPI)
    for status, response in operation["responses"].items()
    if status in ("200", "201", "202")
}
OPEN_ENDED = {  # components with parts that hold any JSON
    "DeliveryOut": ("data",),
    "FilePreview": ("rows",),
    "ForecastRequest": ("settings",),  # validated by the handler, so that messages name the setting alone
    "LogEntry": ("data",),
    "ModelInUse": ("metrics",),
    "VersionOut": ("metrics",),
}
EXPORT = "GET /api/projects/{project_id}/exports/{what}.{form}"  # its JSON is the format of Label Studio
NOWHERE = 2**40  # no project has this number
Case = schemathesis.Case[Any]
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
EXAMPLES = {"owner": sized(2, 15), "worker": sized(1, 8)}  # of each operation


def bodies(operation: dict[str, Any]) -> dict[str, Any]:
    """Return the bodies of an operation by content type."""
    content: dict[str, Any] = operation.get("requestBody", {}).get("content", {})
    return content


WITH_BODY = [f"{method} {path}" for method, path, operation in operations(OPENAPI) if JSON in bodies(operation)]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder: Path = tmp_path_factory.mktemp("service")
    store = Store.open(f"sqlite:///{folder / 'quorate.db'}")
    with small_service(store, folder) as service:
        yield service
    store.close()


@pytest.mark.sized
@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("caller", EXAMPLES)
def test_whatever_is_sent_is_answered_as_documented(service: Place, caller: str, label: str) -> None:
    headers = service.owner() if caller == "owner" else service.worker()
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
            aim(case, service.ids, data)
            answer = case.call(
                base_url=service.url, session=session, headers=headers, timeout=PATIENCE, allow_redirects=False
            )
            case.validate_response(answer, checks=CHECKS)
            assert_refused_well(answer.status_code, answer.content)

        send()
    with service.store.read() as connection:
        assert not any(broken_rules(connection).values())


def cases(label: str) -> SearchStrategy[Case]:
    """Return requests that the schema allows, and requests that it forbids if it forbids any."""
    operation = SCHEMA.find_operation_by_label(label)
    assert operation is not None
    good = operation.as_strategy(generation_mode=schemathesis.GenerationMode.POSITIVE)
    if not (operation.path_parameters or operation.query or operation.body):
        return good
    return good | operation.as_strategy(generation_mode=schemathesis.GenerationMode.NEGATIVE)


def aim(case: Case, ids: dict[str, int], data: DataObject) -> None:
    """Use ids that exist, a project that does not, or the drawn ids. A stream of an existing project would not end."""
    where = "nowhere" if case.operation.label in STREAMS else data.draw(st.sampled_from(["there", "nowhere", "drawn"]))
    ids_of_path: dict[str, Any] = {name: ids[name] for name in case.path_parameters if name in ids}
    if where == "nowhere" and "project_id" in ids_of_path:
        ids_of_path = {"project_id": NOWHERE}
    if where != "drawn":
        case.path_parameters = {**case.path_parameters, **ids_of_path}


@pytest.mark.parametrize("label", LABELS)
def test_an_operation_is_described(label: str) -> None:
    method, path = label.split()
    operation = OPENAPI["paths"][path][method.lower()]
    assert len(operation["summary"].split()) >= 2
    assert not operation["summary"].istitle()
    assert operation["tags"]


@pytest.mark.parametrize("label", WITH_BODY)
def test_the_example_of_a_body_is_understood(service: Place, label: str) -> None:
    method, path = label.split()
    example = bodies(OPENAPI["paths"][path][method.lower()])[JSON]["example"]
    answer = httpx.request(
        method, service.url + path.format(**service.ids), json=example, headers=service.owner(), timeout=PATIENCE
    )
    assert_refused_well(answer.status_code, answer.content)
    if answer.status_code == 422:
        assert not answer.json()["error"].startswith(("body", "the body"))


def is_open(schema: Any) -> bool:
    """Return whether a schema, or a part of it that is not a component, allows any JSON."""
    if isinstance(schema, bool):
        return schema
    if not schema or set(schema) <= {"title", "description"}:
        return True
    if schema.get("type") == "object" and "properties" not in schema:
        return is_open(schema.get("additionalProperties", True))
    parts = [schema[name] for name in ("items", "additionalProperties") if name in schema]
    return any(is_open(part) for part in [*parts, *schema.get("anyOf", ()), *schema.get("prefixItems", ())])


@pytest.mark.parametrize("label", [label for label in RESPONSES if label != EXPORT])
def test_the_response_of_an_operation_has_a_schema(label: str) -> None:
    content = RESPONSES[label]["content"]
    assert content
    assert not any(is_open(description["schema"]) for description in content.values())


def test_operations_without_a_body_in_their_response_say_so() -> None:
    without = [label for label in LABELS if label not in RESPONSES]
    assert all("204" in OPENAPI["paths"][label.split()[1]][label.split()[0].lower()]["responses"] for label in without)


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_properties_of_a_component_have_schemas(name: str) -> None:
    properties = SCHEMAS[name].get("properties", {})
    open_ended = {key for key, schema in properties.items() if is_open(schema)}
    assert open_ended == set(OPEN_ENDED.get(name, ()))


def test_components_have_names_of_their_own() -> None:
    generated = FastAPI.openapi(routes_without_names())["components"]["schemas"]
    assert len(SCHEMAS) == len(generated)
    assert all(name.isalnum() and schema["title"] == name for name, schema in SCHEMAS.items())


def routes_without_names() -> FastAPI:
    app = routes()
    app.openapi_schema = None
    return app


def test_the_schema_of_settings_has_all_defaults() -> None:
    defaults = ProjectSettings(name="Pets", questions=[{"classes": ["cat", "dog"]}]).model_dump(mode="json")  # type: ignore[arg-type]
    for name in ("ProjectSettings", "ProjectSettingsIn"):
        for key in set(defaults) - {"name", "questions"}:
            assert SCHEMAS[name]["properties"][key]["default"] == defaults[key]
    for part in ("costs", "prices", "policy", "learner", "workers", "pilot", "door"):
        component = SCHEMAS["ProjectSettingsIn"]["properties"][part]["$ref"].rpartition("/")[2]
        for schema in (SCHEMAS[component], SCHEMAS[component.removesuffix("In")]):
            assert {key: schema["properties"][key]["default"] for key in defaults[part]} == defaults[part]


def test_settings_may_be_left_out_of_requests_and_are_always_in_responses() -> None:
    assert SCHEMAS["ProjectSettingsIn"]["required"] == ["name", "questions"]
    for name in ("ProjectSettings", "Question", "WorkerRules", "PanelEntry"):
        assert set(SCHEMAS[name]["required"]) == set(SCHEMAS[name]["properties"])
