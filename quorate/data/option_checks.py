"""Checks of options: numbers within bounds, one of several values, an object that fits its place.

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
    """Refuse a value of any field of type Literal that is not one of those it names."""
    for name, kind in _field_types(options.__class__).items():
        if get_origin(kind) is Literal:
            require_choice(name, getattr(options, name), kind)


def require_choice(name: str, given: Any, allowed: Any) -> None:
    """Refuse a value that is not allowed.

    allowed: a Literal, or a sequence of values.

    >>> require_choice("order", "best", ("value", "random"))
    Traceback (most recent call last):
    quorate.errors.MethodError: order must be one of value, random, got 'best'
    """
    values = get_args(allowed) or tuple(allowed)
    if given not in values:
        raise MethodError(f"{name} must be one of {', '.join(map(str, values))}, got {given!r}")


class Bounds(TypedDict, total=False):
    """The range of a number."""

    at_least: float
    above: float
    at_most: float
    below: float


def require_numbers(options: Any, *names: str, finite: bool = True, note: str = "", **bounds: Unpack[Bounds]) -> None:
    """Refuse fields that are no numbers within the bounds, as `require_number` does.

    A field declared an int must be whole, and one declared with None may be None.
    """
    kinds = _field_types(options.__class__)
    for name in names:
        given, declared = getattr(options, name), _members(kinds[name])
        if given is None and NoneType in declared:
            continue
        whole = declared - {NoneType} == {int}
        require_number(name, given, whole=whole, finite=finite, note=note, **bounds)


def require_number(
    name: str, given: Any, *, whole: bool = False, finite: bool = True, note: str = "", **bounds: Unpack[Bounds]
) -> None:
    """Refuse what is no number within the bounds; NaN never is.

    finite: whether infinity is refused too. note: what else to tell a caller who gave a wrong value.

    >>> require_number("most", -1, at_least=0, whole=True, note="zero is no limit")
    Traceback (most recent call last):
    quorate.errors.MethodError: most must be zero or more, got -1: zero is no limit
    """
    if isinstance(given, bool | np.bool_) or not isinstance(given, Integral if whole else Real):
        wanted = "a whole number" if whole else "a number"
    elif not _is_within(given, bounds):
        wanted = _in_words(bounds)
    elif finite and given in (inf, -inf):
        wanted = f"{_in_words(bounds)} and finite" if bounds else "finite"
    else:
        return
    shown = str(given) if isinstance(given, Real) else repr(given)  # a number of numpy by its digits alone
    raise MethodError(f"{name} must be {wanted}, got {shown}{': ' if note else ''}{note}")


def require_part(name: str, given: Any, example: str, *verbs: str) -> None:
    """Refuse a part that is a name, a class, or anything else that cannot do what its place asks of it.

    >>> require_part("base", "mlp", "Mlp()", "learn")
    Traceback (most recent call last):
    quorate.errors.MethodError: base must be an object such as Mlp(), got 'mlp'
    """
    if isinstance(given, type):
        what = f"the class {given.__name__}: write {given.__name__}()"
    elif all(callable(getattr(given, verb, None)) for verb in verbs):
        return
    else:
        text = " ".join(repr(given).split())
        what = text if len(text) <= 40 else f"{text[:39]}…"
    raise MethodError(f"{name} must be an object such as {example}, got {what}")


def _is_within(given: Any, bounds: Bounds) -> bool:
    """Return whether a number is within the bounds; NaN is within none."""
    return bool(
        given >= bounds.get("at_least", -inf)
        and given <= bounds.get("at_most", inf)
        and ("above" not in bounds or given > bounds["above"])
        and ("below" not in bounds or given < bounds["below"])
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
