"""The types and constants of the pages are those of the API."""

import importlib.util
import os
import re
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).parent.parent.parent / "web" / "api-types"


@pytest.fixture(scope="module")
def generate() -> ModuleType:
    """Return the script that generates them."""
    spec = importlib.util.spec_from_file_location("generate_api_types", FOLDER / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_types_were_generated_from_this_schema(generate: ModuleType) -> None:
    assert generate.stored_hash() == generate.schema_hash(), f"{generate.TYPES} is outdated: run `{generate.COMMAND}`"


def test_the_types_are_as_generated(generate: ModuleType) -> None:
    if not generate.GENERATOR.is_file():
        reason = "openapi-typescript is not installed: run `make setup`"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    stored = generate.TYPES.read_text(encoding="utf-8")
    assert stored == generate.types_file(), f"{generate.TYPES} was edited: run `{generate.COMMAND}`"


def test_the_constants_are_as_generated(generate: ModuleType) -> None:
    stored = generate.CONSTANTS.read_text(encoding="utf-8")
    assert stored == generate.constants_file(), f"{generate.CONSTANTS} is outdated: run `{generate.COMMAND}`"


def test_prose_does_not_change_the_contract(generate: ModuleType) -> None:
    schema = {"title": "A", "description": "B", "properties": {"title": {"type": "string", "title": "C"}}}
    assert generate.without_prose(schema) == {"properties": {"title": {"type": "string"}}}


def test_fields_with_defaults_are_optional_in_requests_only(generate: ModuleType) -> None:
    models = generate.contract()["components"]["schemas"]
    assert "budget" in models["ProjectSettings"]["required"]
    assert "note" not in models["VoteIn"]["required"]


def test_no_registry_is_named_in_the_lock_file() -> None:
    assert '"resolved"' not in (FOLDER / "package-lock.json").read_text(encoding="utf-8")


def test_the_pages_request_paths_of_the_api(generate: ModuleType) -> None:
    paths = [re.sub(r"\{\w+\}", "*", path) for path in generate.routes().openapi()["paths"]]
    requested = _requested_paths(FOLDER.parent / "src")
    assert len(requested) > 20
    assert [start for start in sorted(requested) if not any(_starts_with(path, start) for path in paths)] == []


def _requested_paths(folder: Path) -> set[str]:
    """Return the paths in the sources of the pages, as far as they are spelt out, with * for what is filled in."""
    sources = [path.read_text(encoding="utf-8") for path in folder.rglob("*.ts*") if ".test." not in path.name]
    texts = [text for source in sources for text in re.findall(r'["`](/api/[^"`]*)', source)]
    filled_in = [re.sub(r"\$\{[^}]*\}", "*", text) for text in texts]
    return {re.split(r"[?]|\$\{", text)[0].rstrip("/") for text in filled_in}


def _starts_with(path: str, start: str) -> bool:
    """Return whether a path of the API starts with the parts of another; * stands for any part."""
    parts, first_parts = path.split("/"), start.split("/")
    pairs = zip(parts, first_parts, strict=False)
    return len(first_parts) <= len(parts) and all("*" in pair or pair[0] == pair[1] for pair in pairs)
