"""Names of methods and their classes, written into Python files for type checkers by `python docs/write_map.py`.

At run time methods are found by their files. Type checkers do not run code, so what they need is written out: the names
as `Literal` types in `quorate/registry/method_names.py`, the classes as imports in the `__init__.py` of each package.
Tests compare both with the files.
"""

from pathlib import Path

from quorate import registry

ROOT = Path(__file__).parent.parent
LITERALS = {  # type -> folder of the methods that it names
    "AggregationMethod": "aggregation",
    "CalibratorName": "calibration",
    "ItemScoreName": "ambiguity",
    "PolicyName": "decision.policies",
}
NAMES = ROOT / "quorate" / "registry" / "method_names.py"
PACKAGES = sorted({*registry.FOLDERS, *(folder.partition(".")[0] for folder in registry.FOLDERS)})
BEGIN, END = "# method classes: written by docs/write_map.py\n", "# end of method classes\n"


def method_names() -> str:
    """Return the text of the module with the names of methods."""
    lines = [
        '"""Names of methods, for type checkers: written by docs/write_map.py.',
        "",
        'Type checkers report a wrong name, as in `aggregate(votes, "dawid_sken")`. At run time every file is a name.',
        "Code that has a name as a plain `str` uses `cast`.",
        '"""',
        "",
        "from typing import Literal",
        "",
    ]
    for name, folder in LITERALS.items():
        lines += [f"{name} = Literal[", *(f'    "{method}",' for method in registry.names(folder)), "]"]
    return "\n".join(lines) + "\n"


def with_classes(package: str, text: str) -> str:
    """Return the text of a package's `__init__.py` with current imports of its method classes."""
    imports = sorted((home, name) for name, (home, _) in registry.method_exports(package).items())
    block = "if TYPE_CHECKING:\n" + "".join(f"    from {home} import {name} as {name}\n" for home, name in imports)
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}{block}{END}{after}"


def expected_files() -> dict[Path, str]:
    """Return every file that is written here, with its current text."""
    inits = {package: ROOT / "quorate" / package.replace(".", "/") / "__init__.py" for package in PACKAGES}
    texts = {path: with_classes(package, path.read_text(encoding="utf-8")) for package, path in inits.items()}
    return {NAMES: method_names(), **texts}


def write() -> None:
    """Write all files that are out of date."""
    for path, text in expected_files().items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
