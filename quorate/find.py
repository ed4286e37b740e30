"""Name -> class, by file name: `dawid_skene` is DawidSkene in aggregation/dawid_skene.py. Nothing to register."""

import numbers
from dataclasses import fields
from difflib import get_close_matches
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from quorate.errors import MethodError, UnknownNameError


def names(folder: str) -> list[str]:
    """Names of all methods in a folder of the package, sorted.

    >>> "majority" in names("aggregation")
    True
    """
    package = import_module(f"quorate.{folder}")
    return sorted(m.name for m in iter_modules(package.__path__) if not m.ispkg and not m.name.startswith("_"))


def method_class(folder: str, name: str) -> type[Any]:
    """The class behind a name.

    >>> method_class("aggregation", "majority").__name__
    'Majority'
    """
    known = names(folder)
    if name not in known:
        close = get_close_matches(name.lower().replace("-", "_"), known, n=1)
        hint = f"did you mean {close[0]!r}? " if close else ""
        raise UnknownNameError(f"there is no method {name!r}: {hint}choose one of {', '.join(known)}")
    camel_case = "".join(part.capitalize() for part in name.split("_"))
    found: type[Any] = getattr(import_module(f"quorate.{folder}.{name}"), camel_case)
    return found


def options(folder: str, name: str) -> dict[str, str]:
    """The options of a method and their defaults, as they are shown.

    >>> options("aggregation", "one_coin")["strength"]
    '8.0'
    """
    return {field.name: _shown(field.default) for field in fields(method_class(folder, name))}


def _shown(default: Any) -> str:
    if isinstance(default, tuple):
        return f"({', '.join(type(one).__name__ for one in default)})"
    return str(default)


def _kind(default: Any) -> tuple[type, str]:
    """What an option's value must be, told by its default."""
    if isinstance(default, str):
        return str, "text"
    if isinstance(default, tuple):
        return tuple, "a tuple"
    return (numbers.Integral, "a whole number") if isinstance(default, int) else (numbers.Real, "a number")


def method(folder: str, name: str, **chosen: Any) -> Any:
    """A method by its name, with its options.

    >>> method("aggregation", "majority")
    Majority()
    """
    found = method_class(folder, name)
    defaults = {field.name: field.default for field in fields(found)}
    for option, value in chosen.items():
        if option not in defaults:
            there = f"it has {', '.join(sorted(defaults))}" if defaults else "it has none"
            raise MethodError(f"{name} has no option {option!r}: {there}")
        kind, wanted = _kind(defaults[option])
        if not isinstance(value, kind) or isinstance(value, bool):
            raise MethodError(f"option {option!r} of {name} is {wanted}, such as {defaults[option]!r}, got {value!r}")
    return found(**chosen)
