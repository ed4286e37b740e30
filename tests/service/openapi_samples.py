"""Responses made up from the OpenAPI schema, and requests checked against it."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx
from jsonschema_rs import Draft202012Validator

from quorate.service.routes.http.openapi import operations

JSON = "application/json"
ROWS = "application/x-ndjson"
FORM = "multipart/form-data"
PREFERRED = "done"  # where a state is a choice, since clients wait for it


@dataclass(frozen=True)
class Operation:
    """An operation of the API. spec: its description in the schema."""

    method: str
    path: str
    spec: dict[str, Any]

    @property
    def name(self) -> str:
        """Method and path."""
        return f"{self.method} {self.path}"

    @property
    def response(self) -> dict[str, Any] | None:
        """Schema of the JSON that it returns; None if it returns none."""
        content = self.content
        return content[JSON]["schema"] if list(content) == [JSON] else None

    @property
    def content(self) -> dict[str, Any]:
        """Description of what it returns, by content type."""
        return next(
            answer.get("content", {}) for status, answer in self.spec["responses"].items() if status.startswith("2")
        )

    @property
    def status(self) -> int:
        """Status of a success."""
        return next(int(status) for status in self.spec["responses"] if status.startswith("2"))


@dataclass
class SchemaService:
    """A service that answers according to its OpenAPI schema, and refuses requests that the schema does not describe.

    Args:
        openapi: the schema.
        filled: whether responses have a value where null, an empty list or an empty object is allowed.
        requested: names of the operations that were requested.
    """

    openapi: dict[str, Any]
    filled: bool = True
    requested: list[str] = field(default_factory=list)

    def respond(self, request: httpx.Request) -> httpx.Response:
        """Check a request, and return a response, as the handler of `httpx.MockTransport`."""
        operation = self.find(request.method, request.url.path)
        self.requested.append(operation.name)
        self._check_query(operation, request)
        self._check_body(operation, request)
        if operation.response is not None:
            return httpx.Response(operation.status, json=self.sample(operation.response))
        return httpx.Response(operation.status, content=b'{"id": 1}\n' if ROWS in operation.content else b"")

    def find(self, method: str, path: str) -> Operation:
        """Return the operation of a request; if several match, that with the fewest parameters."""
        matching = [
            Operation(method, template, spec)
            for name, template, spec in operations(self.openapi)
            if name == method and re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path)
        ]
        assert matching, f"the API has no operation {method} {path}"
        return min(matching, key=lambda operation: operation.path.count("{"))

    def resolve(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Return the model that a schema refers to, or the schema itself."""
        if "$ref" not in schema:
            return schema
        model: dict[str, Any] = self.openapi["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        return model

    def variants(self, schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the alternatives of a schema, null among them."""
        schema = self.resolve(schema)
        alternatives = schema.get("anyOf") or schema.get("oneOf")
        if alternatives is None:
            yield schema
        for alternative in alternatives or []:
            yield from self.variants(alternative)

    def sample(self, schema: dict[str, Any]) -> Any:
        """Return a value that a schema allows."""
        variants = list(self.variants(schema))
        if not self.filled and any(variant.get("type") == "null" for variant in variants):
            return None
        variant = variants[0]
        if "const" in variant or "enum" in variant:
            values = variant.get("enum") or [variant["const"]]
            return PREFERRED if PREFERRED in values else values[0]
        return self._sample_of_type(variant)

    def _sample_of_type(self, variant: dict[str, Any]) -> Any:
        match variant.get("type"):
            case "object":
                return self._sample_object(variant)
            case "array" if "prefixItems" in variant:
                return [self.sample(entry) for entry in variant["prefixItems"]]
            case "array":
                return [self.sample(variant["items"])] if self.filled else []
            case "integer":
                return 1
            case "number":
                return 0.5
            case "boolean":
                return True
            case "string":
                return "1"
        return {}  # anything is allowed

    def _sample_object(self, variant: dict[str, Any]) -> dict[str, Any]:
        sample = {name: self.sample(entry) for name, entry in variant.get("properties", {}).items()}
        if self.filled and isinstance(more := variant.get("additionalProperties"), dict):
            sample["name"] = self.sample(more)
        return sample

    def _check_query(self, operation: Operation, request: httpx.Request) -> None:
        parameters = [entry for entry in operation.spec.get("parameters", []) if entry["in"] == "query"]
        names = {entry["name"] for entry in parameters}
        required = {entry["name"] for entry in parameters if entry.get("required")}
        sent = set(request.url.params)
        assert sent <= names, f"{operation.name} has no query parameters {sorted(sent - names)}"
        assert required <= sent, f"{operation.name} needs the query parameters {sorted(required - sent)}"

    def _check_body(self, operation: Operation, request: httpx.Request) -> None:
        content = operation.spec.get("requestBody", {}).get("content", {})
        if not request.read():
            assert not operation.spec.get("requestBody", {}).get("required"), f"{operation.name} needs a body"
            return
        sent_type = request.headers["Content-Type"].partition(";")[0]
        assert sent_type in content, f"{operation.name} does not take {sent_type}"
        schema = content[sent_type]["schema"]
        if sent_type == FORM:
            names = set(re.findall(r'form-data; name="(\w+)"', request.content.decode(errors="replace")))
            unknown = names - set(self.resolve(schema)["properties"])
        else:
            body = json.loads(request.content)
            errors = [error.message for error in self._validator(schema).iter_errors(body)]
            assert not errors, f"{operation.name}: {errors}"
            unknown = set(body) - set(self.resolve(schema)["properties"]) if isinstance(body, dict) else set()
        assert not unknown, f"the body of {operation.name} has no fields {sorted(unknown)}"

    def _validator(self, schema: dict[str, Any]) -> Draft202012Validator:
        return Draft202012Validator({**schema, "components": self.openapi["components"]})
