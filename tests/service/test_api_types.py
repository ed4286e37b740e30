"""The types and constants of the pages are those of the API."""

import importlib.util
import os
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).parent.parent.parent / "web" / "api-types"


@pytest.fixture(scope="module")
def generate() -> ModuleType:
    """The script that generates them."""
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
