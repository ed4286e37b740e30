"""Checks of options: numbers within bounds, one of several values, an object of the required kind.

`require_numbers` and `require_choices` check the fields of a dataclass, `require_number` and `require_choice` one
argument of a function.
"""

from functools import cache
from math import inf
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Any, Literal, TypedDict, Union, Unpack, get_args, get_origin, get_type_hints

import numpy as np

from quorate.errors import MethodError


def require_choices(options: Any) -> None:
    """Raise an error if a field of type Literal has another value than its type allows."""
    for name, kind in _field_types(options.__class__).items():
        if get_origin(kind) is Literal:
            require_choice(name, getattr(options, name), kind)


def require_choice(name: str, value: Any, allowed: Any) -> None:
    """Raise an error if a value is not allowed.

    Args:
        name: the name of the option.
        value: its value.
        allowed: a Literal, or a sequence of values.

    >>> require_choice("order", "best", ("value", "random"))
    Traceback (most recent call last):
    quorate.errors.MethodError: order must be one of value, random, got 'best'
    """
    values = get_args(allowed) or tuple(allowed)
    if value not in values:
        raise MethodError(f"{name} must be one of {', '.join(map(str, values))}, got {value!r}")


def require_name_list(name: str, value: Any) -> None:
    """Raise an error if a list of names is given as one text, whose characters would be taken for names.

    >>> require_name_list("methods", "majority,glad")
    Traceback (most recent call last):
    quorate.errors.MethodError: methods must be a list of names, got 'majority,glad': give ['majority', 'glad']
    """
    if isinstance(value, str):
        parts = [value] if ":" in value else value.split(",")  # after a colon, commas separate the options of a name
        names = [part.strip() for part in parts if part.strip()] or ["..."]
        raise MethodError(f"{name} must be a list of names, got {value!r}: give {names}")


class Bounds(TypedDict, total=False):
    """The range of a number."""

    at_least: float
    above: float
    at_most: float
    below: float


def require_numbers(options: Any, *names: str, finite: bool = True, note: str = "", **bounds: Unpack[Bounds]) -> None:
    """Raise an error if one of these fields is not a number within the bounds, as `require_number` does.

    A field declared as int must be whole, and one declared with None may be None.
    """
    kinds = _field_types(options.__class__)
    for name in names:
        value, declared = getattr(options, name), _members(kinds[name])
        if value is None and NoneType in declared:
            continue
        whole = declared - {NoneType} == {int}
        require_number(name, value, whole=whole, finite=finite, note=note, **bounds)


def require_number(
    name: str, value: Any, *, whole: bool = False, finite: bool = True, note: str = "", **bounds: Unpack[Bounds]
) -> None:
    """Raise an error if a value is not a number within the bounds; NaN never is.

    Args:
        name: the name of the option.
        value: its value.
        whole: whether it must be a whole number.
        finite: whether infinity is refused too.
        note: further advice, which ends the message.
        bounds: the range.

    >>> require_number("most", -1, at_least=0, whole=True, note="zero is no limit")
    Traceback (most recent call last):
    quorate.errors.MethodError: most must be zero or more, got -1: zero is no limit
    """
    if isinstance(value, bool | np.bool_) or not isinstance(value, Integral if whole else Real):
        wanted = "a whole number" if whole else "a number"
    elif not _is_within(value, bounds):
        wanted = _in_words(bounds)
    elif finite and value in (inf, -inf):
        wanted = f"{_in_words(bounds)} and finite" if bounds else "finite"
    else:
        return
    shown = str(value) if isinstance(value, Real) else repr(value)  # a number of numpy by its digits alone
    raise MethodError(f"{name} must be {wanted}, got {shown}{': ' if note else ''}{note}")


def require_part(name: str, value: Any, example: str, *verbs: str) -> None:
    """Raise an error if a part is a name, a class, or another object without the required methods.

    Args:
        name: the name of the option.
        value: its value.
        example: an allowed value, for the message.
        verbs: the required methods.

    >>> require_part("base", "mlp", "Mlp()", "learn")
    Traceback (most recent call last):
    quorate.errors.MethodError: base must be an object such as Mlp(), got 'mlp'
    """
    if isinstance(value, type):
        what = f"the class {value.__name__}: write {value.__name__}()"
    elif all(callable(getattr(value, verb, None)) for verb in verbs):
        return
    else:
        text = " ".join(repr(value).split())
        what = text if len(text) <= 40 else f"{text[:39]}…"
    raise MethodError(f"{name} must be an object such as {example}, got {what}")


def _is_within(value: Any, bounds: Bounds) -> bool:
    """Return whether a number is within the bounds; NaN is within none."""
    return bool(
        value >= bounds.get("at_least", -inf)
        and value <= bounds.get("at_most", inf)
        and ("above" not in bounds or value > bounds["above"])
        and ("below" not in bounds or value < bounds["below"])
    )


def _in_words(bounds: Bounds) -> str:
    match bounds:
        case {"at_least": low, "at_most": high}:
            return f"from {low} to {high}"
        case {"above": low, "below": high}:
            return f"between {low} and {high}, both left out"
        case {"at_least": 0, **rest} if not rest:
            return "zero or more"
        case {"above": 0, **rest} if not rest:
            return "above zero"
    words = {"at_least": "at least", "above": "above", "at_most": "at most", "below": "below"}
    return " and ".join(f"{words[name]} {bound}" for name, bound in bounds.items()) or "a number"


@cache
def _field_types(options: Any) -> dict[str, Any]:
    """Return the types of a dataclass's fields by name."""
    hints = get_type_hints(options)
    return {name: hints[name] for name in options.__dataclass_fields__ if name in hints}


def _members(kind: Any) -> set[Any]:
    return set(get_args(kind)) if get_origin(kind) in (Union, UnionType) else {kind}
