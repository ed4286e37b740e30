"""Checks of options, which learners and their parts have in common."""

from dataclasses import fields
from math import inf
from numbers import Integral, Real
from typing import Any, Literal, get_args, get_origin, get_type_hints

import numpy as np

from quorate.errors import MethodError


def require_choices(options: Any) -> None:
    """Refuse a value of any option of type Literal that is not one of those it names."""
    hints = get_type_hints(type(options))
    for field in fields(options):
        allowed = get_args(hints[field.name]) if get_origin(hints[field.name]) is Literal else ()
        given = getattr(options, field.name)
        if allowed and given not in allowed:
            raise MethodError(f"{field.name} must be one of {', '.join(map(str, allowed))}, got {given!r}")


def require_numbers(options: Any, *names: str) -> None:
    """Refuse what is no number, and where the option is declared an int, what is not whole."""
    hints = get_type_hints(type(options))
    for name in names:
        given = getattr(options, name)
        whole = hints.get(name) is int
        if isinstance(given, bool | np.bool_) or not isinstance(given, Integral if whole else Real):
            raise MethodError(f"{name} must be a {'whole ' if whole else ''}number, got {given!r}")


def require_one_or_more(options: Any, *names: str) -> None:
    """Refuse counts below one."""
    require_numbers(options, *names)
    for name in names:
        if not getattr(options, name) >= 1:
            raise MethodError(f"{name} must be at least 1, got {getattr(options, name)}")


def require_zero_or_more(options: Any, *names: str) -> None:
    """Refuse numbers below zero, endless, or none at all."""
    require_numbers(options, *names)
    for name in names:
        if not 0 <= getattr(options, name) < inf:
            raise MethodError(f"{name} must be zero or more, got {getattr(options, name)}")


def require_above_zero(options: Any, *names: str) -> None:
    """Refuse numbers that are not above zero."""
    require_numbers(options, *names)
    for name in names:
        if not 0 < getattr(options, name) < inf:
            raise MethodError(f"{name} must be above zero, got {getattr(options, name)}")


def require_shares(options: Any, *names: str) -> None:
    """Refuse shares, such as of dropout, that are not at least 0 and below 1."""
    require_numbers(options, *names)
    for name in names:
        if not 0 <= getattr(options, name) < 1:
            raise MethodError(f"{name} must be at least 0 and below 1, got {getattr(options, name)}")


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
