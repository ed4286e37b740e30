"""Name -> class, by file name: `dawid_skene` is DawidSkene in aggregation/dawid_skene.py. Nothing to register."""

import ast
import re
from collections.abc import Sequence
from contextlib import suppress
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from quorate.errors import MissingExtraError, UnknownNameError
from quorate.registry.option_values import made, options_of

KINDS = {  # others: method
    "bases": "base",
    "heads": "head",
    "targets": "target",
    "losses": "loss",
    "steps": "step",
    "ambiguity": "score",
    "calibration": "calibrator",
    "policies": "policy",
    "fusion": "fusion",
}
RENAMED = {("decision.fusion", "suited"): "auto"}  # former names, which are still accepted
EXTRAS = {"sklearn": "learn", "safetensors": "learn", "torch": "deep", "transformers": "deep", "PIL": "deep"}


def names(folder: str) -> list[str]:
    """Return the names of all methods in a folder of the package, sorted.

    A file is a method if it is public and defines the class that its name spells.

    >>> "majority" in names("aggregation")
    True
    """
    return list(_method_names(folder))


@cache
def _method_names(folder: str) -> tuple[str, ...]:
    # The files are searched, not imported: torch need not be installed.
    package = import_module(f"quorate.{folder}")
    public = [m.name for m in iter_modules(package.__path__) if not m.ispkg and not m.name.startswith("_")]
    return tuple(sorted(name for name in public if _defines_its_class(Path(package.__path__[0]) / f"{name}.py")))


def _defines_its_class(path: Path) -> bool:
    pattern = rf"^class {class_name(path.stem)}\b"
    return re.search(pattern, path.read_text(encoding="utf-8"), re.MULTILINE) is not None


def require_name(name: str, known: Sequence[str], kind: str = "method") -> None:
    """Refuse a name that is not known, and say which may be meant."""
    if name not in known:
        close = get_close_matches(name.lower().replace("-", "_"), known, n=1)
        hint = f"did you mean {close[0]!r}? " if close else ""
        raise UnknownNameError(f"there is no {kind} {name!r}: {hint}choose one of {', '.join(known)}")


def method_class(folder: str, name: str) -> type[Any]:
    """The class behind a name.

    >>> method_class("aggregation", "majority").__name__
    'Majority'
    """
    name = RENAMED.get((folder, name), name)
    require_name(name, names(folder), KINDS.get(folder.rpartition(".")[2], "method"))
    found: type[Any] = getattr(module(f"quorate.{folder}.{name}"), class_name(name))
    return found


def class_name(file: str) -> str:
    """Return the name of the class that a file of a method defines.

    >>> class_name("dawid_skene")
    'DawidSkene'
    """
    return "".join(word.capitalize() for word in file.split("_"))


def name_of(method: Any) -> str:
    """The name by which a method, given as an object, is found.

    >>> name_of(method_class("aggregation", "majority")())
    'majority'
    """
    return type(method).__module__.rpartition(".")[2]


def module(name: str) -> ModuleType:
    """A module of Quorate; where it needs a package that is not installed, the line that installs it."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in EXTRAS:
            raise
        raise MissingExtraError(
            f"{name.rpartition('.')[2]} needs {package}, which is not installed: "
            f"pip install 'quorate[{EXTRAS[package]}]'"
        ) from None


def options(folder: str, name: str) -> dict[str, str]:
    """The options of a method and their defaults, as they are shown.

    >>> options("aggregation", "one_coin")["strength"]
    '8.0'
    """
    return options_of(method_class(folder, name))


def described(folder: str, name: str) -> tuple[str, dict[str, str]]:
    """What a method is and its options, read from its file: nothing is imported, so that torch need not be there.

    >>> described("learning.targets", "smoothed")[1]
    {'alpha': '0.1', 'over': 'all'}
    """
    require_name(name, names(folder), KINDS.get(folder.rpartition(".")[2], "method"))
    spec = find_spec(f"quorate.{folder}")
    assert spec is not None
    assert spec.origin is not None
    tree = ast.parse((Path(spec.origin).parent / f"{name}.py").read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name == class_name(name):
            written = [line for line in node.body if isinstance(line, ast.AnnAssign)]
            known = {
                ast.unparse(line.target): _unparsed(line.value)
                for line in written
                if line.value is not None and "ClassVar" not in ast.unparse(line.annotation)
            }
            return (ast.get_docstring(node) or "").partition("\n")[0], known
    return (ast.get_docstring(tree) or "").partition("\n")[0], {}


def method(folder: str, name: str, /, **chosen: Any) -> Any:
    """A method by its name, with its options.

    >>> method("aggregation", "majority")
    Majority()
    """
    return made(method_class(folder, name), name, chosen)


def _unparsed(value: ast.expr) -> str:
    """A default as it is written in a file, shown as `_shown` would show it."""
    if isinstance(value, ast.Call) and ast.unparse(value.func) == "field":
        return f"{ast.unparse(value.keywords[0].value)}()"
    with suppress(ValueError):
        return str(ast.literal_eval(value))
    return ast.unparse(value)
