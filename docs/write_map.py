"""Generated texts from the files of the package: `python docs/write_map.py` updates them.

The map of the package and its import layers, in CONTRIBUTING.md, are read from the folders, the first lines of their
docstrings and pyproject.toml; `write_names.py` writes the names of methods for type checkers. Tests compare all of it.
"""

import ast
import textwrap
import tomllib
from pathlib import Path

import write_names

from quorate import registry

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "CONTRIBUTING.md"
WIDTH = 120


def tree() -> str:
    """Return the map: a line for each folder, and below it the names of its files."""
    package = ROOT / "quorate"
    lines = ["quorate/"]
    files = [path for path in modules_of(package) if path.stem != "__main__"]
    lines += [f"  {path.name:<16}{first_line(path)}" for path in files]
    for folder in folders_of(package):
        lines += ["", *entry(folder, depth=1)]
    return "\n".join(lines)


def entry(folder: Path, depth: int) -> list[str]:
    """Return the lines of a folder and of those inside."""
    indent = "  " * depth
    lines = [f"{indent}{folder.name}/  {first_line(folder / '__init__.py')}"]
    dotted = ".".join(folder.relative_to(ROOT / "quorate").parts)
    files = [path.stem for path in modules_of(folder)]
    groups = {"": files}
    if dotted in registry.FOLDERS:
        methods = registry.names(dotted)
        rest = [name for name in files if name not in methods]
        groups = {f"one file, one {registry.FOLDERS[dotted]}: ": methods, "also: ": rest}
    for title, names in groups.items():
        if names:
            lines += textwrap.wrap(
                title + ", ".join(names),
                WIDTH,
                initial_indent=f"{indent}    ",
                subsequent_indent=f"{indent}    ",
                break_on_hyphens=False,
            )
    for inner in folders_of(folder):
        lines += entry(inner, depth + 1)
    return lines


def modules_of(folder: Path) -> list[Path]:
    """Return the modules in a folder, private ones last."""
    modules = [path for path in folder.glob("*.py") if path.name != "__init__.py"]
    return sorted(modules, key=lambda path: (path.name.startswith("_"), path.name))


def folders_of(folder: Path) -> list[Path]:
    """Return the packages in a folder."""
    return sorted(path.parent for path in folder.glob("*/__init__.py"))


def first_line(path: Path) -> str:
    """Return the first line of a module's docstring."""
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return text.partition("\n")[0]


def layers() -> str:
    """Return the layers of the import contract, from the top down."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (names,) = (contract["layers"] for contract in contracts if contract.get("containers") == ["quorate"])
    return "\n".join(names)


def updated(page: str) -> str:
    """Return the text of a page with the current map and layers between its markers."""
    for name, text in {"map": tree(), "layers": layers()}.items():
        begin, end = f"<!-- {name}: written by docs/write_map.py -->\n", f"<!-- end of {name} -->"
        before, rest = page.split(begin)
        _, after = rest.split(end)
        page = f"{before}{begin}```text\n{text}\n```\n{end}{after}"
    return page


if __name__ == "__main__":
    write_names.write()
    PAGE.write_text(updated(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
