"""How the service tells what it offers: an operation has the first line of its docstring, and an example."""

from collections.abc import Iterator
from typing import Any

from fastapi import FastAPI

from quorate.service.routes.examples import JSON, add_example

METHODS = ("get", "put", "post", "delete", "patch")


def describe(app: FastAPI) -> None:
    """Let the OpenAPI of an app say what its functions say."""
    made = app.openapi

    def told() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = made()
            for _, _, operation in operations(schema):
                _summarise(operation)
                _refuse_in_json(operation)
                add_example(operation, schema["components"]["schemas"])
        return made()

    app.openapi = told  # type: ignore[method-assign]


def operations(schema: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The method, path and description of each operation."""
    for path, by_method in schema["paths"].items():
        for method in METHODS:
            if method in by_method:
                yield method.upper(), path, by_method[method]


def _summarise(operation: dict[str, Any]) -> None:
    """Replace a summary that only repeats the name of the function."""
    name = operation["summary"].replace(" ", "_").lower()
    if not operation["operationId"].startswith(f"{name}_"):
        return
    first, _, rest = operation.pop("description", "").partition("\n")
    operation["summary"] = first.strip().removesuffix(".")
    if rest.strip():
        operation["description"] = rest.strip()


def _refuse_in_json(operation: dict[str, Any]) -> None:
    """Whatever an operation gives, such as a file or a stream, it refuses in JSON."""
    for status, answer in operation["responses"].items():
        if status >= "400" and answer.get("content"):
            answer["content"] = {JSON: next(iter(answer["content"].values()))}
