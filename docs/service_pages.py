"""Pages of the service that are made: every operation of the API, the settings of a project, and files as they are."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from setting_words import WORDS  # beside this file

from quorate.service.api.openapi import operations
from quorate.service.app import routes
from quorate.service.project_settings import ProjectSettings

ROOT = Path(__file__).parent.parent
Operation = tuple[str, str, dict[str, Any]]  # method, path, and what is told of it
SHORT = 90  # letters: an example that fits on a line stays there
NOTHING = {"204": "It is done; the answer is empty.", "200": "An object."}
LANGUAGES = {".conf": "nginx", ".service": "ini", ".env": "ini"}


def tables() -> dict[str, str]:
    """Return the files and settings that pages show, by name (see write_tables.py)."""
    files = (path.relative_to(ROOT).as_posix() for path in (ROOT / "deploy").iterdir() if path.suffix in LANGUAGES)
    return {f"file {name}": file_block(name) for name in files} | {"project settings": settings_table()}


def file_block(name: str) -> str:
    """A file of the sources, to be pasted."""
    path = ROOT / name
    return f'```{LANGUAGES[path.suffix]} title="{name}"\n{path.read_text().rstrip()}\n```'


@cache
def openapi() -> dict[str, Any]:
    """What the service tells of itself."""
    return routes().openapi()


def by_noun() -> dict[str, list[Operation]]:
    """All operations, by the noun that they are about."""
    found: dict[str, list[Operation]] = {}
    for one in operations(openapi()):
        found.setdefault(one[2]["tags"][0], []).append(one)
    return found


def api_pages() -> dict[str, str]:
    """The pages of the API by path: one for each noun, and an overview."""
    parts = openapi()["components"]["schemas"]
    made = {f"api/{noun}.md": noun_page(noun, found, parts) for noun, found in by_noun().items()}
    return {"api/index.md": api_index()} | made


def api_index() -> str:
    """All operations at a glance."""
    lines = [
        "# The API",
        "",
        "Everything is JSON over HTTP, under `/api`. Send an API token (or a worker's session) as",
        "`Authorization: Bearer qt_...`. A running service shows the same at `/docs`, to be tried, and as OpenAPI at",
        "`/openapi.json`. In Python, `quorate.Client` has a method for each.",
        "",
        'What is refused is told in one line: `{"error": "there is no project 7"}`. 400: it cannot be read;',
        "401: nobody is signed in; 403: not allowed; 404: there is no such thing;",
        "409: it does not fit the state of things; 413: too much at once; 422: it makes no sense;",
        "429: too often; 503: the database is busy.",
    ]
    for noun, found in by_noun().items():
        lines += ["", f"## [{noun.capitalize()}]({noun}.md)", ""]
        lines += [
            f"- [{one['summary']}]({noun}.md#{anchor(one)})  \n  `{method} {path}`" for method, path, one in found
        ]
    return "\n".join(lines)


def noun_page(noun: str, found: list[Operation], parts: dict[str, Any]) -> str:
    """The page of one noun: all that can be done with it."""
    lines = [f"# API: {noun}", ""]
    for method, path, one in found:
        lines += [f"## {one['summary']} {{ #{anchor(one)} }}", "", f"`{method} {path}`", ""]
        lines += [one["description"], ""] if "description" in one else []
        lines += parameter_table(one)
        lines += [*body_example(one), *answer_line(one, parts), ""]
    return "\n".join(lines)


def anchor(operation: dict[str, Any]) -> str:
    """Where an operation stands on its page."""
    return str(operation["operationId"]).replace("_", "-")


def parameter_table(operation: dict[str, Any]) -> list[str]:
    """What is said beside the body, and is not the number of something."""
    shown = [one for one in operation.get("parameters", ()) if not one["name"].endswith("_id")]
    rows = [
        f"| `{one['name']}` | {one['in']} | {one.get('description') or one['schema'].get('description', '')} |"
        for one in shown
    ]
    return ["| parameter | in | |", "|---|---|---|", *rows, ""] if rows else []


def body_example(operation: dict[str, Any]) -> list[str]:
    """What is sent."""
    lines: list[str] = []
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        if "example" in content:
            short = json.dumps(content["example"], ensure_ascii=False)
            shown = short if len(short) < SHORT else json.dumps(content["example"], ensure_ascii=False, indent=2)
            lines += ["```json", shown, "```", ""]
        else:
            names = ", ".join(f"`{name}`" for name in content["schema"].get("properties", {}))
            lines += [f"Sent as `{kind}`: {names}.", ""]
    return lines


def answer_line(operation: dict[str, Any], parts: dict[str, Any]) -> list[str]:
    """What comes back when all went well."""
    lines = []
    for status, answer in operation["responses"].items():
        if status < "400":
            told = [_answered(kind, content, parts) for kind, content in answer.get("content", {}).items()]
            lines.append(
                f"**{status}** {' or '.join(filter(None, told)) or NOTHING.get(status, answer.get('description'))}"
            )
    return ["  \n".join(lines)]


def _answered(kind: str, content: dict[str, Any], parts: dict[str, Any]) -> str:
    schema = content.get("schema", {})
    many, part = ("a list of ", schema.get("items", {})) if schema.get("type") == "array" else ("", schema)
    found = parts.get(part.get("$ref", "").rpartition("/")[2])
    if found is None:
        return f"`{kind}`" if kind and kind != "application/json" else ""
    names = ", ".join(f"`{name}`" for name in found.get("properties", {}))
    return f"{many}{names}. {' '.join(found.get('description', '').split())}"


def settings_table() -> str:
    """All settings of a project, with what they are when they are left out."""
    lines = ["| setting | what it is | if left out |", "|---|---|---|"]
    return "\n".join([*lines, *_rows("", ProjectSettings)])


def _rows(before: str, model: type[BaseModel]) -> list[str]:
    rows = []
    for name, one in model.model_fields.items():
        inner = one.annotation
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            rows += _rows(f"{before}{name}.", inner)
        else:
            rows.append(f"| `{before}{name}` | {WORDS[before + name]} | {_default(one)} |")
    return rows


def _default(one: FieldInfo) -> str:
    if one.is_required():
        return "must be given"
    value = one.get_default(call_default_factory=True)
    return "none" if value is None else f"`{json.dumps(value)}`"
