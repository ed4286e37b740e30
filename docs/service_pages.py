"""Generated pages of the service: all operations of the API, the settings of a project, and files of deploy/."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from setting_words import WORDS  # beside this file

from quorate.service.app import routes
from quorate.service.projects.settings import ProjectSettings
from quorate.service.routes.http.openapi import operations

ROOT = Path(__file__).parent.parent
Operation = tuple[str, str, dict[str, Any]]  # method, path, description in OpenAPI
MAX_LINE = 90  # characters of an example that stays on one line
NO_SCHEMA = {"204": "No content.", "200": "An object."}
STATUSES = {
    400: "the request cannot be read",
    401: "not signed in",
    403: "not allowed",
    404: "not found",
    409: "conflicts with the current state",
    413: "too large",
    422: "invalid values",
    429: "too many requests",
    503: "the database is busy",
}
LANGUAGES = {".conf": "nginx", ".service": "ini", ".env": "ini"}


def tables() -> dict[str, str]:
    """Return the files and settings that pages show, by name (see write_tables.py)."""
    files = (path.relative_to(ROOT).as_posix() for path in (ROOT / "deploy").iterdir() if path.suffix in LANGUAGES)
    return {f"file {name}": file_block(name) for name in files} | {"project settings": settings_table()}


def file_block(name: str) -> str:
    """Return a file of the repository as a code block."""
    path = ROOT / name
    return f'```{LANGUAGES[path.suffix]} title="{name}"\n{path.read_text().rstrip()}\n```'


@cache
def openapi() -> dict[str, Any]:
    """Return the OpenAPI description of the service."""
    return routes().openapi()


def by_noun() -> dict[str, list[Operation]]:
    """Return all operations by the noun that they are about."""
    by_tag: dict[str, list[Operation]] = {}
    for operation in operations(openapi()):
        by_tag.setdefault(operation[2]["tags"][0], []).append(operation)
    return by_tag


def api_pages() -> dict[str, str]:
    """Return the pages of the API by path: one for each noun, and an overview."""
    schemas = openapi()["components"]["schemas"]
    pages = {f"api/{noun}.md": noun_page(noun, listed, schemas) for noun, listed in by_noun().items()}
    return {"api/index.md": api_index()} | pages


def api_index() -> str:
    """Return the overview of all operations."""
    lines = [
        "# The API",
        "",
        "The API is JSON over HTTP, under `/api`. Send an API token (or a worker's session) as",
        "`Authorization: Bearer qt_...`. A running service describes its API at `/docs`, where you can try it, and as",
        "OpenAPI at `/openapi.json`. In Python, `quorate.Client` has a method for each operation.",
        "",
        'An error is a status code and one line: `{"error": "there is no project 7"}`.',
        "",
        "| status | meaning |",
        "|---|---|",
        *(f"| {status} | {meaning} |" for status, meaning in STATUSES.items()),
    ]
    for noun, listed in by_noun().items():
        lines += ["", f"## [{noun.capitalize()}]({noun}.md)", ""]
        lines += [
            f"- [{operation['summary']}]({noun}.md#{anchor(operation)})  \n  `{method} {path}`"
            for method, path, operation in listed
        ]
    return "\n".join(lines)


def noun_page(noun: str, listed: list[Operation], schemas: dict[str, Any]) -> str:
    """Return the page of one noun: all its operations."""
    lines = [f"# API: {noun}", ""]
    for method, path, operation in listed:
        lines += [f"## {operation['summary']} {{ #{anchor(operation)} }}", "", f"`{method} {path}`", ""]
        lines += [operation["description"], ""] if "description" in operation else []
        lines += parameter_table(operation)
        lines += [*body_example(operation), *response_line(operation, schemas), ""]
    return "\n".join(lines)


def anchor(operation: dict[str, Any]) -> str:
    """Return the anchor of an operation on its page."""
    return str(operation["operationId"]).replace("_", "-")


def parameter_table(operation: dict[str, Any]) -> list[str]:
    """Return the table of query and path parameters, without the ids."""
    shown = [entry for entry in operation.get("parameters", ()) if not entry["name"].endswith("_id")]
    rows = [
        f"| `{entry['name']}` | {entry['in']} | {entry.get('description') or entry['schema'].get('description', '')} |"
        for entry in shown
    ]
    return ["| parameter | in | meaning |", "|---|---|---|", *rows, ""] if rows else []


def body_example(operation: dict[str, Any]) -> list[str]:
    """Return an example of the request body."""
    lines: list[str] = []
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        if "example" in content:
            short = json.dumps(content["example"], ensure_ascii=False)
            shown = short if len(short) < MAX_LINE else json.dumps(content["example"], ensure_ascii=False, indent=2)
            lines += ["```json", shown, "```", ""]
        else:
            names = ", ".join(f"`{name}`" for name in content["schema"].get("properties", {}))
            lines += [f"Request body, `{kind}`: {names}.", ""]
    return lines


def response_line(operation: dict[str, Any], schemas: dict[str, Any]) -> list[str]:
    """Return the description of a successful response."""
    lines = []
    for status, answer in operation["responses"].items():
        if status < "400":
            contents = [_response(kind, content, schemas) for kind, content in answer.get("content", {}).items()]
            text = " or ".join(filter(None, contents)) or NO_SCHEMA.get(status, answer.get("description"))
            lines.append(f"**{status}** {text}")
    return ["  \n".join(lines)]


def _response(kind: str, content: dict[str, Any], schemas: dict[str, Any]) -> str:
    schema = content.get("schema", {})
    many, part = ("a list of ", schema.get("items", {})) if schema.get("type") == "array" else ("", schema)
    resolved = schemas.get(part.get("$ref", "").rpartition("/")[2])
    if resolved is None:
        return f"`{kind}`" if kind and kind != "application/json" else ""
    names = ", ".join(f"`{name}`" for name in resolved.get("properties", {}))
    return f"{many}{names}. {' '.join(resolved.get('description', '').split())}"


def settings_table() -> str:
    """Return the table of all settings of a project, with their defaults."""
    lines = ["| setting | meaning | default |", "|---|---|---|"]
    return "\n".join([*lines, *_rows("", ProjectSettings)])


def _rows(before: str, model: type[BaseModel]) -> list[str]:
    rows = []
    for name, field in model.model_fields.items():
        inner = field.annotation
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            rows += _rows(f"{before}{name}.", inner)
        else:
            rows.append(f"| `{before}{name}` | {WORDS[before + name]} | {_default(field)} |")
    return rows


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    value = field.get_default(call_default_factory=True)
    return "none" if value is None else f"`{json.dumps(value)}`"
