"""The Python client against the OpenAPI schema: requests, responses, and the types of its dataclasses."""

import dataclasses
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import httpx
import pytest

from quorate.client import Client, Vote
from quorate.client.connection import Connection
from quorate.service.app import routes
from quorate.service.routes.http.openapi import operations
from tests.service.openapi_samples import SchemaService

OPENAPI = routes().openapi()
SETTINGS = {"name": "Pets", "questions": [{"name": "pet", "classes": ["cat", "dog"]}]}
ITEMS = [{"key": "a", "content": {"text": "It purrs."}}]
CALLS: dict[str, Callable[[Client, Path], Any]] = {
    "session.sign_in": lambda client, _: client.session.sign_in("ann", "a password"),
    "session.join": lambda client, _: client.session.join("http://host/join#link", "a password", name="ann"),
    "session.show": lambda client, _: client.session.show(),
    "session.change_password": lambda client, _: client.session.change_password("a password", "another password"),
    "session.sign_out": lambda client, _: client.session.sign_out(),
    "tokens.create": lambda client, _: client.tokens.create("script", ["read"], project=1, days=7),
    "tokens.list_all": lambda client, _: client.tokens.list_all(),
    "tokens.revoke": lambda client, _: client.tokens.revoke(1),
    "accounts.invite": lambda client, _: client.accounts.invite("ben", "requester"),
    "accounts.list_all": lambda client, _: client.accounts.list_all(),
    "accounts.new_link": lambda client, _: client.accounts.new_link(1),
    "accounts.close": lambda client, _: client.accounts.close(1),
    "projects.create": lambda client, _: client.projects.create(SETTINGS),
    "projects.forecast": lambda client, _: client.projects.forecast(SETTINGS, items=100, accuracy=0.8),
    "projects.list_all": lambda client, _: client.projects.list_all(),
    "projects.get": lambda client, _: client.projects.get(1),
    "projects.preview": lambda client, _: client.projects.preview(1, SETTINGS),
    "projects.change": lambda client, _: client.projects.change(1, SETTINGS),
    "projects.set_state": lambda client, _: client.projects.set_state(1, "running"),
    "projects.overview": lambda client, _: client.projects.overview(1),
    "projects.progress": lambda client, _: client.projects.progress(1),
    "projects.models": lambda client, _: client.projects.models(1, question="pet"),
    "projects.estimate": lambda client, _: client.projects.estimate(1),
    "projects.events": lambda client, _: client.projects.events(1, before=9),
    "members.list_all": lambda client, _: client.members.list_all(1),
    "members.put": lambda client, _: client.members.put(1, "ben", "expert"),
    "members.remove": lambda client, _: client.members.remove(1, 2),
    "items.add": lambda client, _: client.items.add(1, [{"key": "a", "text": "It purrs.", "gold": {"pet": "cat"}}]),
    "items.list_all": lambda client, _: next(client.items.list_all(1, status="crowd", search="a"), None),
    "items.keys": lambda client, _: client.items.keys(1, after=3, most=1),
    "items.part": lambda client, _: client.items.part(1, chosen="open", question="pet", search="a", offset=3, n=7),
    "items.get": lambda client, _: client.items.get(1, 2),
    "items.relabel": lambda client, _: client.items.relabel(1, 2, "cat", question="pet"),
    "items.reopen": lambda client, _: client.items.reopen(1, 2, question="pet"),
    "items.ask_expert": lambda client, _: client.items.ask_expert(1, 2, question="pet"),
    "imports.upload": lambda client, folder: client.imports.upload(1, _file(folder), form="csv", columns={"key": "id"}),
    "imports.get": lambda client, _: client.imports.get(1, 2),
    "imports.wait": lambda client, _: client.imports.wait(1, 2),
    "imports.list_all": lambda client, _: client.imports.list_all(1),
    "panels.show": lambda client, _: client.panels.show(1),
    "panels.links": lambda client, _: client.panels.links(1, ["p1"]),
    "panels.save_pay": lambda client, folder: client.panels.save_pay(1, folder / "pay.csv", ids="external"),
    "exports.save": lambda client, folder: client.exports.save(1, "votes", folder / "votes.csv"),
    "exports.rows": lambda client, _: list(client.exports.rows(1, "items")),
    "workers.create": lambda client, _: client.workers.create(1, kind="expert", name="Ann"),
    "workers.list_page": lambda client, _: client.workers.list_page(1, after=3, limit=7),
    "workers.get": lambda client, _: client.workers.get(1, 2),
    "workers.link": lambda client, _: client.workers.link(1, 2),
    "workers.block": lambda client, _: client.workers.block(1, 2),
    "workers.unblock": lambda client, _: client.workers.unblock(1, 2),
    "workers.open_link": lambda client, _: client.workers.open_link("link"),
    "work.visit": lambda client, _: client.work.visit(1),
    "work.other_votes": lambda client, _: client.work.other_votes(1, 2),
    "work.consent": lambda client, _: client.work.consent(1),
    "work.agree": lambda client, _: client.work.agree(1, "1"),
    "work.next": lambda client, _: client.work.next(1, 3),
    "work.send": lambda client, _: client.work.send(1, [Vote(lease=1, said="skip", note="blurred", seconds=2.5)]),
    "work.vote": lambda client, _: client.work.vote(1, 2, "cat", seconds=2.5),
    "work.skip": lambda client, _: client.work.skip(1, 2, unsure=True, note="blurred"),
    "work.amend": lambda client, _: client.work.amend(1, 2, "dog"),
    "work.heartbeat": lambda client, _: client.work.heartbeat(1, [2]),
    "work.give_back": lambda client, _: client.work.give_back(1, [2]),
    "work.completion": lambda client, _: client.work.completion(1),
    "online.classify": lambda client, _: client.online.classify(1, {"text": "It purrs."}, key="a"),
    "online.classify_batch": lambda client, _: client.online.classify_batch(1, ITEMS),
    "online.result": lambda client, _: [client.online.result(1, 2), client.online.result(1, "a")],
    "webhooks.add": lambda client, _: client.webhooks.add(1, "https://example.org", ["item.decided"]),
    "webhooks.list_all": lambda client, _: client.webhooks.list_all(1),
    "webhooks.secret": lambda client, _: client.webhooks.secret(1, 2),
    "webhooks.set_state": lambda client, _: client.webhooks.set_state(1, 2, "off"),
    "webhooks.delete": lambda client, _: client.webhooks.delete(1, 2),
    "webhooks.ping": lambda client, _: client.webhooks.ping(1, 2),
    "webhooks.deliveries": lambda client, _: client.webhooks.deliveries(1, 2, before=9),
    "webhooks.redeliver": lambda client, _: client.webhooks.redeliver(1, 2, 3),
}
FORMER_NAMES = {"projects.foretell", "work.told"}
# Methods that return a part of the response: the names that lead to it, * for an entry of a list.
PARTS: dict[str, tuple[str, ...]] = {
    "tokens.create": ("token",),
    "projects.forecast": ("strategies",),
    "items.list_all": ("items",),
    "work.send": ("votes",),
    "work.vote": ("votes", "*"),
    "work.skip": ("votes", "*"),
    "work.heartbeat": ("leases",),
    "online.classify_batch": ("results",),
    "webhooks.secret": ("secret",),
}
BUILT = {"items.keys", "exports.rows"}  # methods that build something else from the response
PAGES_ONLY = {  # operations that the client does not offer, since only pages, panels and monitoring use them
    "GET /healthz",
    "GET /readyz",
    "GET /metrics",
    "POST /api/look",
    "POST /api/session/link",
    "GET /enter/{project_id}",
    "GET /api/projects/{project_id}/tasks/{task_id}/media",
    "GET /api/projects/{project_id}/tasks/{task_id}/html",
    "GET /api/seen/{ticket}/{task_id}/media",
    "GET /api/seen/{ticket}/{task_id}/html",
    "GET /api/projects/{project_id}/stream",
    "GET /api/projects/{project_id}/results/{item_id}/stream",
}
NOT_READ = {  # fields of responses that the dataclasses of the client leave out on purpose
    "SignedIn": {"csrf"},  # kept by the session
    "WorkerSession": {"csrf"},  # for browsers
    "Result": {"result_url"},  # `online.result` knows it
}
SEQUENCES = (list, Iterator)
JSON_TYPES: dict[Any, tuple[str, ...]] = {
    type(None): ("null",),
    str: ("string",),
    bool: ("boolean",),
    int: ("integer",),
    float: ("number", "integer"),
}


def _file(folder: Path) -> Path:
    path = folder / "items.csv"
    path.write_text("id,text\na,It purrs.\n")
    return path


def _client(service: SchemaService) -> Client:
    """Return a client that is connected to a made-up service."""
    client = Client("http://service", token="secret")
    http = httpx.Client(base_url=client.url, transport=httpx.MockTransport(service.respond))
    for name, resource in _resources(client).items():
        setattr(client, name, type(resource)(Connection(http=http, tries=1)))
    return client


def _resources(client: Client) -> dict[str, Any]:
    """Return the resources of a client by name."""
    return {name: value for name, value in vars(client).items() if hasattr(value, "connection")}


def _methods() -> dict[str, Callable[..., Any]]:
    """Return the public methods of all resources of the client, by resource and name."""
    return {
        f"{resource}.{name}": method
        for resource, instance in _resources(Client("http://service")).items()
        for name, method in vars(type(instance)).items()
        if callable(method) and not name.startswith("_")
    }


METHODS = _methods()


def test_every_method_is_checked() -> None:
    assert set(METHODS) - FORMER_NAMES == set(CALLS)


@pytest.mark.parametrize("filled", [True, False], ids=["filled", "empty"])
@pytest.mark.parametrize("name", sorted(set(CALLS) - {"work.vote", "work.skip"}))  # they need a receipt
def test_a_method_sends_and_reads_what_the_schema_describes(tmp_path: Path, name: str, filled: bool) -> None:
    service = SchemaService(OPENAPI, filled=filled)
    CALLS[name](_client(service), tmp_path)
    assert service.requested


def test_every_operation_has_a_method(tmp_path: Path) -> None:
    service = SchemaService(OPENAPI)
    for call in CALLS.values():
        call(_client(service), tmp_path)
    assert {f"{method} {path}" for method, path, _ in operations(OPENAPI)} - set(service.requested) == PAGES_ONLY


@pytest.mark.parametrize("name", sorted(set(CALLS) - BUILT))
def test_the_type_of_a_result_is_that_of_the_schema(tmp_path: Path, name: str) -> None:
    checker = _checked(name, tmp_path)
    assert checker.problems == []


def test_every_field_of_a_response_is_read(tmp_path: Path) -> None:
    unread: dict[str, set[str]] = {}
    for name in set(CALLS) - BUILT:
        for kind, names in _checked(name, tmp_path).unread.items():
            unread[kind] = unread.get(kind, set()) | names
    assert {kind: names for kind, names in unread.items() if names} == NOT_READ


def test_optional_fields_of_dataclasses_are_in_some_response(tmp_path: Path) -> None:
    missing: dict[str, set[str]] = {}
    for name in set(CALLS) - BUILT:
        for kind, names in _checked(name, tmp_path).missing.items():
            missing[kind] = missing.get(kind, names) & names
    assert not any(missing.values()), missing


def _checked(name: str, folder: Path) -> "TypeChecker":
    """Return the comparison of the return type of a method with the schema of the response."""
    service = SchemaService(OPENAPI)
    CALLS[name](_client(service), folder)
    checker = TypeChecker(service)
    annotation = get_type_hints(METHODS[name])["return"]
    for requested in service.requested[:1] if name == "imports.upload" else service.requested:
        schema = service.find(*requested.split(" ")).response
        for part in PARTS.get(name, ()):
            assert schema is not None
            model = service.resolve(schema)
            schema = model["items"] if part == "*" else model["properties"][part]
        if schema is None:
            assert annotation is type(None), f"{name} returns {annotation}, and {requested} no JSON"
        else:
            checker.compare(annotation, schema, name)
    return checker


class TypeChecker:
    """Comparison of types of Python with schemas.

    Attributes:
        problems: places where a type does not allow what the schema does.
        unread: fields of responses that a dataclass lacks, by its name.
        missing: optional fields of a dataclass that a response lacks, by its name.
    """

    def __init__(self, service: SchemaService) -> None:
        self.service = service
        self.problems: list[str] = []
        self.unread: dict[str, set[str]] = {}
        self.missing: dict[str, set[str]] = {}

    def compare(self, annotation: Any, schema: dict[str, Any], where: str) -> None:
        """Note where a type does not allow what a schema does."""
        if annotation is Any:
            return
        options = list(_options(annotation))
        for variant in self.service.variants(schema):
            matching = [option for option in options if _matches(option, variant)]
            if matching:
                self._compare_parts(matching[0], variant, where)
            else:
                self.problems.append(f"{where}: {annotation} does not allow {variant}")

    def _compare_parts(self, option: Any, variant: dict[str, Any], where: str) -> None:
        if dataclasses.is_dataclass(option):
            self._compare_fields(option, variant, where)
        elif get_origin(option) in SEQUENCES:
            self.compare(get_args(option)[0], variant["items"], f"{where}[]")
        elif get_origin(option) is dict:
            value_type = get_args(option)[1]
            more = variant.get("additionalProperties")
            parts = list(variant.get("properties", {}).values()) + ([more] if isinstance(more, dict) else [])
            for part in parts:
                self.compare(value_type, part, f"{where}{{}}")

    def _compare_fields(self, kind: Any, variant: dict[str, Any], where: str) -> None:
        name, properties, hints = kind.__name__, variant.get("properties", {}), get_type_hints(kind)
        entries = dataclasses.fields(kind)
        self.unread.setdefault(name, set()).update(set(properties) - {entry.name for entry in entries})
        self.missing.setdefault(name, set())
        for entry in entries:
            if entry.name in properties:
                self.compare(hints[entry.name], properties[entry.name], f"{where}: {name}.{entry.name}")
            elif entry.default is dataclasses.MISSING and entry.default_factory is dataclasses.MISSING:
                self.problems.append(f"{where}: the response has no {name}.{entry.name}")
            else:
                self.missing[name].add(entry.name)


def _options(annotation: Any) -> Iterator[Any]:
    """Yield the alternatives of a type."""
    if get_origin(annotation) in (Union, types.UnionType):
        for argument in get_args(annotation):
            yield from _options(argument)
    else:
        yield annotation


def _matches(option: Any, variant: dict[str, Any]) -> bool:
    """Return whether a type allows what a schema without alternatives does, apart from its parts."""
    if option is Any:
        return True
    kind = variant.get("type")
    if get_origin(option) is Literal:
        values = variant.get("enum", [variant["const"]] if "const" in variant else None)
        return values is not None and set(values) <= set(get_args(option))
    if dataclasses.is_dataclass(option) or get_origin(option) is dict:
        return kind == "object"
    if get_origin(option) in SEQUENCES:
        return kind == "array"
    return kind in JSON_TYPES.get(option, ())
