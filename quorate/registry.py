"""Name -> class, by file name: `dawid_skene` is DawidSkene in aggregation/dawid_skene.py. Nothing to register."""

import ast
import numbers
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, fields, is_dataclass
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType, NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from quorate.errors import MethodError, MissingExtraError, UnknownNameError

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
LARGE = 2**63  # no array can count so far
WORDS = {bool: "true or false", str: "text", int: "a whole number", float: "a number"}
PLURALS = {str: "texts", int: "whole numbers", float: "numbers"}
TRUTHS = {"true": True, "yes": True, "false": False, "no": False}


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


def options_of(found: type[Any]) -> dict[str, str]:
    """The options of a class and their defaults, as they are shown."""
    return {option: _shown(default) for option, default in _defaults(found).items()}


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


def made(found: type[Any], name: str, chosen: Mapping[str, Any]) -> Any:
    """An object of a class with these options, each checked to be of the kind that it is declared to be."""
    for option, value in chosen.items():
        default = _default(found, name, option)
        kind = _kind(found, option, default)
        if not _fits(value, kind):
            such = "" if default is None or default == () else f", such as {default!r}"
            raise MethodError(f"option {option!r} of {name} is {_wanted(kind)}{such}, got {value!r}")
    return found(**chosen)


def typed(found: type[Any], name: str, option: str, text: str) -> Any:
    """The value of an option that was typed as text; its default tells what it is.

    >>> one_coin = method_class("aggregation", "one_coin")
    >>> typed(one_coin, "one_coin", "strength", "4"), typed(one_coin, "one_coin", "max_rounds", "9")
    (4.0, 9)
    """
    default = _default(found, name, option)
    if isinstance(default, bool):
        return TRUTHS.get(text.lower(), text)
    if isinstance(default, tuple):
        return tuple(_number_or_text(part.strip()) for part in text.split(",") if part.strip())
    if default is None:
        return None if text.lower() == "none" else _number_or_text(text)
    if isinstance(default, int | float):
        with suppress(ValueError):
            return type(default)(text)
    return text


def _defaults(found: type[Any]) -> dict[str, Any]:
    """Every option and its default; MISSING where there is none."""
    return {
        field.name: field.default if field.default_factory is MISSING else field.default_factory()
        for field in fields(found)
        if field.init
    }


def _default(found: type[Any], name: str, option: str) -> Any:
    defaults = _defaults(found)
    if option not in defaults:
        there = f"it has {', '.join(sorted(defaults))}" if defaults else "it has none"
        raise MethodError(f"{name} has no option {option!r}: {there}")
    return defaults[option]


def _shown(default: Any) -> str:
    if isinstance(default, tuple) and any(is_dataclass(one) for one in default):
        return f"({', '.join(type(one).__name__ for one in default)})"
    return f"{type(default).__name__}()" if is_dataclass(default) else str(default)


def _unparsed(value: ast.expr) -> str:
    """A default as it is written in a file, shown as `_shown` would show it."""
    if isinstance(value, ast.Call) and ast.unparse(value.func) == "field":
        return f"{ast.unparse(value.keywords[0].value)}()"
    with suppress(ValueError):
        return str(ast.literal_eval(value))
    return ast.unparse(value)


def _kind(found: type[Any], option: str, default: Any) -> Any:
    """The type that an option is declared to have; where that cannot be told, the type of its default."""
    with suppress(NameError):  # a name that is imported for type checkers only
        kind = get_type_hints(found)[option]
        return type(get_args(kind)[0]) if get_origin(kind) is Literal else kind
    return type(default)


def _fits(value: Any, kind: Any) -> bool:
    """Whether a value is of a kind; of classes that are no numbers or text, it is only told that it is neither."""
    if get_origin(kind) in (Union, UnionType):
        return any(_fits(value, one) for one in get_args(kind))
    if get_origin(kind) is tuple:
        inner = get_args(kind)
        kinds = (inner[0],) * len(value) if inner[1:] == (...,) and isinstance(value, tuple) else inner
        return isinstance(value, tuple) and len(value) == len(kinds) and all(map(_fits, value, kinds))
    if isinstance(value, bool):
        return kind in (bool, Any)
    if kind is int:
        return isinstance(value, numbers.Integral) and abs(int(value)) < LARGE
    if kind is float:
        return isinstance(value, numbers.Real)
    if kind in (bool, str, tuple, NoneType):
        return isinstance(value, kind)
    return kind is Any or not (value is None or isinstance(value, str | int | float))


def _wanted(kind: Any) -> str:
    """What the value of an option must be, in words."""
    inner = get_args(kind)
    if get_origin(kind) in (Union, UnionType):
        return " or ".join("none" if one is NoneType else _wanted(one) for one in inner)
    if get_origin(kind) is tuple:
        count = "" if inner[1:] == (...,) else f"{len(inner)} "
        return f"a tuple of {count}{PLURALS.get(inner[0], 'objects')}"
    return WORDS.get(kind, "a tuple" if kind is tuple else "an object")


def _number_or_text(text: str) -> Any:
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return text
