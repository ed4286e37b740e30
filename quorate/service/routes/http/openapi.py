"""OpenAPI schema of the service: summaries from docstrings, examples of bodies, all defaults, unique names.

A model that is read and sent differs in the two directions: what has a default may be left out of a request and is
always in a response. Its schemas are `ClassSpecIn` and `ClassSpec`.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from fastapi import FastAPI

JSON = "application/json"
EVENT_STREAM = "text/event-stream"
METHODS = ("get", "put", "post", "delete", "patch")
REFERENCE = "#/components/schemas/"
SUFFIXES = {"-Input": "In", "-Output": ""}  # of FastAPI, and ours


def describe(app: FastAPI) -> None:
    """Make `app.openapi()` return the complete schema."""
    generate = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = _renamed(generate())
            components = schema["components"]["schemas"]
            for name, component in components.items():
                component["title"] = name
            for component in components.values():
                _add_null_defaults(component, components)
            for name, component in components.items():
                _copy_defaults(components.get(f"{name}In", {}), component)
            for _, _, operation in operations(schema):
                _summarise(operation)
                _refuse_in_json(operation)
                _describe_events(operation)
                add_example(operation, components)
            app.openapi_schema = schema
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def operations(schema: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the method, path and description of each operation."""
    for path, by_method in schema["paths"].items():
        for method in METHODS:
            if method in by_method:
                yield method.upper(), path, by_method[method]


def add_example(operation: dict[str, Any], components: Mapping[str, Any]) -> None:
    """Add an example of the JSON that an operation takes. components: the schemas that others refer to, by name."""
    content = operation.get("requestBody", {}).get("content", {}).get(JSON)
    if content is not None:
        content["example"] = example_of(content["schema"], components)


def example_of(schema: Mapping[str, Any], components: Mapping[str, Any]) -> Any:
    """Return a value that fits a schema: the first of its examples, or one built from its required properties.

    >>> name = {"type": "string", "examples": ["Ann"]}
    >>> example_of({"properties": {"name": name, "age": {"type": "integer"}}, "required": ["name"]}, {})
    {'name': 'Ann'}
    """
    if "$ref" in schema:
        return example_of(_referenced(schema, components) | _without(schema, "$ref"), components)
    for key in ("examples", "enum"):
        if schema.get(key):
            return schema[key][0]
    if "const" in schema:
        return schema["const"]
    if "anyOf" in schema:
        return example_of(schema["anyOf"][0] | _without(schema, "anyOf"), components)
    if "properties" in schema:
        return _example_of_object(schema, components)
    if "items" in schema:
        return [example_of(schema["items"], components)]
    return schema.get("default")


def _renamed(schema: Any) -> Any:
    """Return the schema with the suffixes of components replaced, in their names and in references to them."""
    if isinstance(schema, list):
        return [_renamed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        _new_name(key): _new_name(value) if key == "$ref" else _renamed(value)  # no path or property has such a suffix
        for key, value in schema.items()
    }


def _new_name(name: str) -> str:
    for suffix, replacement in SUFFIXES.items():
        if name.endswith(suffix):
            return name.removesuffix(suffix) + replacement
    return name


def _add_null_defaults(component: dict[str, Any], components: Mapping[str, Any]) -> None:
    """Add defaults that are null, which FastAPI leaves out, to the properties of a component."""
    required = component.get("required", ())
    for name, schema in component.get("properties", {}).items():
        if "$ref" in schema and isinstance(schema.get("default"), dict):
            schema["default"] = _nulls_of(_referenced(schema, components)) | schema["default"]
        elif name not in required and _allows_null(schema):
            schema.setdefault("default", None)


def _copy_defaults(request: Mapping[str, Any], response: dict[str, Any]) -> None:
    """Copy the defaults of a model in requests to its schema in responses, where no default is ever left out."""
    for name, schema in request.get("properties", {}).items():
        if "default" in schema:
            response["properties"][name].setdefault("default", schema["default"])


def _nulls_of(component: Mapping[str, Any]) -> dict[str, None]:
    return {name: None for name, schema in component["properties"].items() if _allows_null(schema)}


def _allows_null(schema: Mapping[str, Any]) -> bool:
    return {"type": "null"} in schema.get("anyOf", ())


def _referenced(schema: Mapping[str, Any], components: Mapping[str, Any]) -> dict[str, Any]:
    component: dict[str, Any] = components[schema["$ref"].removeprefix(REFERENCE)]
    return component


def _summarise(operation: dict[str, Any]) -> None:
    """Replace a summary that only repeats the name of the function by the first line of its docstring."""
    name = operation["summary"].replace(" ", "_").lower()
    if not operation["operationId"].startswith(f"{name}_"):
        return
    first, _, rest = operation.pop("description", "").partition("\n")
    operation["summary"] = first.strip().removesuffix(".")
    if rest.strip():
        operation["description"] = rest.strip()


def _refuse_in_json(operation: dict[str, Any]) -> None:
    """Give errors the content type JSON, also where an operation returns a file or a stream."""
    for status, response in operation["responses"].items():
        if status >= "400" and response.get("content"):
            response["content"] = {JSON: next(iter(response["content"].values()))}


def _describe_events(operation: dict[str, Any]) -> None:
    """Describe a stream by the schema of its events, without the type that FastAPI gives to all but JSON."""
    for response in operation["responses"].values():
        schema = response.get("content", {}).get(EVENT_STREAM, {}).get("schema", {})
        if "anyOf" in schema or "$ref" in schema:
            schema.pop("type", None)
            response["description"] = "Server-sent events: the name of each is `event`, its data is JSON."


def _example_of_object(schema: Mapping[str, Any], components: Mapping[str, Any]) -> dict[str, Any]:
    """Return an example with the properties that are required or have an example of their own."""
    required = schema.get("required", ())
    return {
        name: example_of(part, components)
        for name, part in schema["properties"].items()
        if name in required or _has_example(part)
    }


def _has_example(schema: Mapping[str, Any]) -> bool:
    return "examples" in schema or any("examples" in part for part in schema.get("anyOf", ()))


def _without(schema: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in schema.items() if name != key}
