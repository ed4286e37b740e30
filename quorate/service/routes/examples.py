"""Examples of what is sent, put together from those of the parts."""

from collections.abc import Mapping
from typing import Any

JSON = "application/json"


def add_example(operation: dict[str, Any], parts: Mapping[str, Any]) -> None:
    """Show an example of the JSON that an operation takes. parts: the schemas that others refer to, by name."""
    content = operation.get("requestBody", {}).get("content", {}).get(JSON)
    if content is not None:
        content["example"] = example_of(content["schema"], parts)


def example_of(schema: Mapping[str, Any], parts: Mapping[str, Any]) -> Any:
    """A value that fits a schema: the first of its examples, or one made from those of what it must have.

    >>> name = {"type": "string", "examples": ["Ann"]}
    >>> example_of({"properties": {"name": name, "age": {"type": "integer"}}, "required": ["name"]}, {})
    {'name': 'Ann'}
    """
    if "$ref" in schema:
        return example_of(parts[schema["$ref"].rpartition("/")[2]] | _beside(schema), parts)
    for key in ("examples", "enum"):
        if schema.get(key):
            return schema[key][0]
    if "const" in schema:
        return schema["const"]
    if "anyOf" in schema:
        return example_of(schema["anyOf"][0] | _beside(schema, "anyOf"), parts)
    if "properties" in schema:
        return _object(schema, parts)
    if "items" in schema:
        return [example_of(schema["items"], parts)]
    return schema.get("default")


def _object(schema: Mapping[str, Any], parts: Mapping[str, Any]) -> dict[str, Any]:
    """What must be there, and what has an example of its own."""
    required = schema.get("required", ())
    shown = {name: one for name, one in schema["properties"].items() if name in required or _has_example(one)}
    return {name: example_of(one, parts) for name, one in shown.items()}


def _has_example(schema: Mapping[str, Any]) -> bool:
    return "examples" in schema or any("examples" in one for one in schema.get("anyOf", ()))


def _beside(schema: Mapping[str, Any], key: str = "$ref") -> dict[str, Any]:
    """What stands beside a reference or a choice, and adds to it."""
    return {name: value for name, value in schema.items() if name != key}
