"""How the pages get into the package: built once, from a Node that is new enough."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def builder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The build script, on a folder of its own."""
    spec = importlib.util.spec_from_file_location("build_pages", ROOT / "web" / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    web = tmp_path / "web"
    (web / "src").mkdir(parents=True)
    (web / "src" / "main.ts").write_text("export {}")
    (web / "package-lock.json").write_text("{}")
    monkeypatch.setattr(module, "WEB", web)
    monkeypatch.setattr(module, "STATIC", tmp_path / "static")
    return module


@pytest.fixture
def ran(builder: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What npm was asked for; a build leaves its folder."""
    asked: list[str] = []

    def npm(*arguments: str, folder: Path | None = None) -> None:
        asked.append(arguments[0])
        (builder.WEB / "node_modules").mkdir(exist_ok=True)
        builder.STATIC.mkdir(exist_ok=True)

    monkeypatch.setattr(builder, "npm", npm)
    return asked


def test_it_builds_once_and_again_when_a_source_changes(builder: ModuleType, ran: list[str]) -> None:
    builder.build()
    builder.build()
    assert ran == ["ci", "run"]
    (builder.WEB / "src" / "main.ts").write_text("export const n = 1")
    builder.build()
    assert ran == ["ci", "run", "run"]


def test_tests_and_installed_packages_are_no_sources(builder: ModuleType, ran: list[str]) -> None:
    before = builder.sources_hash()
    (builder.WEB / "src" / "main.test.ts").write_text("it('holds')")
    (builder.WEB / "node_modules").mkdir()
    (builder.WEB / "node_modules" / "some.js").write_text("1")
    assert builder.sources_hash() == before


@pytest.mark.parametrize(("said", "enough"), [("v18.19.0", False), ("v20.18.9", False), ("v20.19.0", True)])
def test_an_old_node_is_not_used(builder: ModuleType, tmp_path: Path, said: str, enough: bool) -> None:
    node = tmp_path / "node"
    node.write_text(f"#!/bin/sh\necho {said}\n")
    node.chmod(0o755)
    assert builder.is_new_enough(str(node)) is enough


def test_an_unknown_word_is_refused_in_one_line(builder: ModuleType) -> None:
    with pytest.raises(SystemExit, match="give nothing, check, test, or install-api-types"):
        builder.main(["publish"])


def test_a_failed_build_leaves_no_stamp(builder: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    def npm(*arguments: str, folder: Path | None = None) -> None:
        raise SystemExit("npm failed")

    monkeypatch.setattr(builder, "npm", npm)
    with pytest.raises(SystemExit):
        builder.build()
    assert not builder.is_built()
