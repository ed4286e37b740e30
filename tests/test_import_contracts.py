"""The import contracts of pyproject.toml leave no package out."""

import ast
import pkgutil
import tomllib
from pathlib import Path
from typing import Any

import pytest

import quorate

PACKAGES = {module.name for module in pkgutil.iter_modules(quorate.__path__)} - {"__main__"}
CONTRACTS = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())["tool"]["importlinter"][
    "contracts"
]
ONLY_IN = {  # the one package that may import it
    "numba": "inference",
    "torch": "learning",
    "transformers": "learning",
    "safetensors": "learning",
    "matplotlib": "plots",
    "typer": "cli",
    "rich": "cli",
    "fastapi": "service",
    "sqlalchemy": "service",
}


def forbidding(dependency: str) -> list[dict[str, Any]]:
    found = [one for one in CONTRACTS if one["type"] == "forbidden" and dependency in one["forbidden_modules"]]
    return [one for one in found if one.get("allow_indirect_imports")]


@pytest.mark.parametrize(("dependency", "home"), ONLY_IN.items())
def test_a_dependency_is_forbidden_everywhere_but_at_home(dependency: str, home: str) -> None:
    (contract,) = forbidding(dependency)
    top_level = {name.split(".")[1] for name in contract["source_modules"] if name.count(".") == 1}
    assert top_level == PACKAGES - {home}


def test_numba_is_forbidden_outside_the_kernels() -> None:
    (contract,) = forbidding("numba")
    inside = {name.rpartition(".")[2] for name in contract["source_modules"] if name.startswith("quorate.inference.")}
    folder = Path(quorate.__path__[0]) / "inference"
    assert inside == {module.name for module in pkgutil.iter_modules([str(folder)])} - {"kernels"}


def test_the_layers_are_few_and_without_exceptions() -> None:
    layers = CONTRACTS[0]
    assert {name.strip() for line in layers["layers"] for name in line.split("|")} == PACKAGES
    assert len(layers["layers"]) <= 11
    assert not any(one.get("ignore_imports") for one in CONTRACTS)


def private_imports(path: Path) -> list[str]:
    """Return the private modules and names of other packages that a file imports."""
    package = ".".join(path.parent.relative_to(Path(quorate.__path__[0]).parent).parts)
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("quorate"):
            for alias in node.names:
                parts = f"{node.module}.{alias.name}".split(".")
                private = [place for place, part in enumerate(parts) if part.startswith("_") and part[:2] != "__"]
                home = ".".join(parts[: private[0]]) if private else ""
                if private and not f"{package}.".startswith(f"{home}."):
                    found.append(".".join(parts))
    return found


def test_no_package_imports_what_is_private_to_another() -> None:
    files = sorted(Path(quorate.__path__[0]).rglob("*.py"))
    assert {str(path): found for path in files if (found := private_imports(path))} == {}
