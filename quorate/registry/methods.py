"""Name -> class, by file name: `dawid_skene` is DawidSkene in aggregation/dawid_skene.py. Nothing to register."""

import ast
import re
from collections import Counter
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
from quorate.registry.option_values import build, options_of

FOLDERS = {  # folders in which one file is one method -> what such a method is called
    "aggregation": "method",
    "ambiguity": "score",
    "calibration": "calibrator",
    "decision.fusion": "fusion method",
    "decision.policies": "policy",
    "learning.bases": "base",
    "learning.heads": "head",
    "learning.learners": "learner",
    "learning.losses": "loss",
    "learning.steps": "step",
    "learning.targets": "target",
    "quality.agreement": "measure",
    "quality.workers": "score",
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


def method_exports(package: str) -> dict[str, tuple[str, str]]:
    """Return the classes of all methods in a package and in its folders: class name -> module, class name.

    A class name that occurs in two of the folders is left out.

    >>> method_exports("aggregation")["DawidSkene"]
    ('quorate.aggregation.dawid_skene', 'DawidSkene')
    >>> "Plain" in method_exports("learning"), "Plain" in method_exports("learning.heads")
    (False, True)
    """
    folders = [folder for folder in FOLDERS if f"{folder}.".startswith(f"{package}.")]
    classes = [(class_name(name), f"quorate.{folder}.{name}") for folder in folders for name in names(folder)]
    count = Counter(name for name, _ in classes)
    return {name: (home, name) for name, home in classes if count[name] == 1}


def require_name(name: str, known_names: Sequence[str], kind: str = "method") -> None:
    """Raise an error if a name is not one of the known names; it suggests the most similar one.

    Args:
        name: name to check.
        known_names: names that are allowed.
        kind: what the name is of, for the message.
    """
    if name not in known_names:
        close = get_close_matches(name.lower().replace("-", "_"), known_names, n=1)
        hint = f"did you mean {close[0]!r}? " if close else ""
        raise UnknownNameError(f"there is no {kind} {name!r}: {hint}choose one of {', '.join(known_names)}")


def method_class(folder: str, name: str) -> type[Any]:
    """Return the class of a method.

    >>> method_class("aggregation", "majority").__name__
    'Majority'
    """
    name = RENAMED.get((folder, name), name)
    _require_method(folder, name)
    cls: type[Any] = getattr(module(f"quorate.{folder}.{name}"), class_name(name))
    return cls


def class_name(file: str) -> str:
    """Return the name of the class that the file of a method defines.

    >>> class_name("dawid_skene")
    'DawidSkene'
    """
    return "".join(word.capitalize() for word in file.split("_"))


def name_of(method: Any) -> str:
    """Return the name of a method that is given as an object.

    >>> name_of(method_class("aggregation", "majority")())
    'majority'
    """
    return type(method).__module__.rpartition(".")[2]


def module(name: str) -> ModuleType:
    """Import a module of Quorate; if it needs a package that is not installed, the error says how to install it."""
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
    """Return the options of a method and their defaults, as text.

    >>> options("aggregation", "one_coin")["strength"]
    '8.0'
    """
    return options_of(method_class(folder, name))


def describe(folder: str, name: str) -> tuple[str, dict[str, str]]:
    """Return the first line of a method's docstring, and its options with their defaults as text.

    They are read from its file: nothing is imported, so torch need not be installed.

    >>> describe("learning.targets", "smoothed")[1]
    {'alpha': '0.1', 'over': 'all'}
    """
    _require_method(folder, name)
    spec = find_spec(f"quorate.{folder}")
    assert spec is not None
    assert spec.origin is not None
    tree = ast.parse((Path(spec.origin).parent / f"{name}.py").read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name == class_name(name):
            fields = [line for line in node.body if isinstance(line, ast.AnnAssign)]
            defaults = {
                ast.unparse(line.target): _default_as_text(line.value)
                for line in fields
                if line.value is not None and "ClassVar" not in ast.unparse(line.annotation)
            }
            return (ast.get_docstring(node) or "").partition("\n")[0], defaults
    return (ast.get_docstring(tree) or "").partition("\n")[0], {}


def method(folder: str, name: str, /, **chosen: Any) -> Any:
    """Return a method by its name, with options.

    Args:
        folder: folder of the package, such as "aggregation".
        name: name of the method.
        **chosen: options of the method.

    >>> method("aggregation", "majority")
    Majority()
    """
    return build(method_class(folder, name), name, chosen)


def _require_method(folder: str, name: str) -> None:
    require_name(name, names(folder), FOLDERS.get(folder, "method"))


def _default_as_text(value: ast.expr) -> str:
    """Return a default that is read from a file in the form in which `options_of` returns it."""
    if isinstance(value, ast.Call) and ast.unparse(value.func) == "field":
        factory = value.keywords[0].value
        return ast.unparse(factory.body) if isinstance(factory, ast.Lambda) else f"{ast.unparse(factory)}()"
    with suppress(ValueError):
        return str(ast.literal_eval(value))
    return ast.unparse(value)
