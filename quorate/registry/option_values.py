"""Options of methods: their defaults, checks of given values, and values from text."""

import numbers
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import MISSING, fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from quorate.errors import MethodError

LARGE = 2**63  # no array can count so far
WORDS = {bool: "true or false", str: "text", int: "a whole number", float: "a number"}
PLURALS = {str: "texts", int: "whole numbers", float: "numbers"}
TRUTHS = {"true": True, "yes": True, "false": False, "no": False}


def options_of(found: type[Any]) -> dict[str, str]:
    """The options of a class and their defaults, as they are shown."""
    return {option: _shown(default) for option, default in _defaults(found).items()}


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

    >>> from quorate.registry import method_class
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
    if default is MISSING:
        return "required"
    if isinstance(default, tuple) and any(is_dataclass(one) for one in default):
        return f"({', '.join(type(one).__name__ for one in default)})"
    return f"{type(default).__name__}()" if is_dataclass(default) else str(default)


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
