"""Options of methods: their defaults, checks of their values, and values from text."""

import numbers
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import MISSING, fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from quorate.errors import MethodError

INTEGER_LIMIT = 2**63  # numpy's integers are below it
WORDS = {bool: "true or false", str: "text", int: "a whole number", float: "a number"}
PLURALS = {str: "texts", int: "whole numbers", float: "numbers"}
TRUTHS = {"true": True, "yes": True, "false": False, "no": False}


def options_of(cls: type[Any]) -> dict[str, str]:
    """Return the options of a class and their defaults, as text."""
    return {option: _as_text(default) for option, default in _defaults(cls).items()}


def build(cls: type[Any], name: str, chosen: Mapping[str, Any]) -> Any:
    """Return an object of a class with these options, after checking each against its declared type."""
    for option, value in chosen.items():
        default = _default(cls, name, option)
        kind = _declared_type(cls, option, default)
        if not _fits(value, kind):
            such = "" if default is None or default == () else f", such as {default!r}"
            raise MethodError(f"option {option!r} of {name} is {_in_words(kind)}{such}, got {value!r}")
    return cls(**chosen)


def parse_option(cls: type[Any], name: str, option: str, text: str) -> Any:
    """Return the value of an option that was typed as text; its type is that of the default.

    Args:
        cls: class of the method.
        name: name of the method, for messages.
        option: name of the option.
        text: value as typed.

    >>> from quorate.registry import method_class
    >>> one_coin = method_class("aggregation", "one_coin")
    >>> parse_option(one_coin, "one_coin", "strength", "4"), parse_option(one_coin, "one_coin", "max_rounds", "9")
    (4.0, 9)
    """
    default = _default(cls, name, option)
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


def _defaults(cls: type[Any]) -> dict[str, Any]:
    """Return every option and its default, MISSING if it has none."""
    return {
        field.name: field.default if field.default_factory is MISSING else field.default_factory()
        for field in fields(cls)
        if field.init
    }


def _default(cls: type[Any], name: str, option: str) -> Any:
    defaults = _defaults(cls)
    if option not in defaults:
        existing = f"it has {', '.join(sorted(defaults))}" if defaults else "it has none"
        raise MethodError(f"{name} has no option {option!r}: {existing}")
    return defaults[option]


def _as_text(default: Any) -> str:
    if default is MISSING:
        return "required"
    if isinstance(default, tuple) and any(is_dataclass(part) for part in default):
        return f"({', '.join(type(part).__name__ for part in default)})"
    return f"{type(default).__name__}()" if is_dataclass(default) else str(default)


def _declared_type(cls: type[Any], option: str, default: Any) -> Any:
    """Return the declared type of an option, or the type of its default if the declaration cannot be resolved."""
    with suppress(NameError):  # a name that is imported for type checkers only
        kind = get_type_hints(cls)[option]
        return type(get_args(kind)[0]) if get_origin(kind) is Literal else kind
    return type(default)


def _fits(value: Any, kind: Any) -> bool:
    """Return whether a value is of a type; for other classes, only check that it is neither a number nor text."""
    if get_origin(kind) in (Union, UnionType):
        return any(_fits(value, member) for member in get_args(kind))
    if get_origin(kind) is tuple:
        inner = get_args(kind)
        kinds = (inner[0],) * len(value) if inner[1:] == (...,) and isinstance(value, tuple) else inner
        return isinstance(value, tuple) and len(value) == len(kinds) and all(map(_fits, value, kinds))
    if isinstance(value, bool):
        return kind in (bool, Any)
    if kind is int:
        return isinstance(value, numbers.Integral) and abs(int(value)) < INTEGER_LIMIT
    if kind is float:
        return isinstance(value, numbers.Real)
    if kind in (bool, str, tuple, NoneType):
        return isinstance(value, kind)
    return kind is Any or not (value is None or isinstance(value, str | int | float))


def _in_words(kind: Any) -> str:
    """Describe the values that an option takes."""
    inner = get_args(kind)
    if get_origin(kind) in (Union, UnionType):
        return " or ".join("none" if member is NoneType else _in_words(member) for member in inner)
    if get_origin(kind) is tuple:
        count = "" if inner[1:] == (...,) else f"{len(inner)} "
        return f"a tuple of {count}{PLURALS.get(inner[0], 'objects')}"
    return WORDS.get(kind, "a tuple" if kind is tuple else "an object")


def _number_or_text(text: str) -> Any:
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return text
