"""Checks of options, which learners and their parts have in common."""

from dataclasses import fields
from math import inf
from typing import Any, Literal, get_args, get_origin, get_type_hints

from quorate.errors import MethodError


def require_choices(options: Any) -> None:
    """Refuse a value of any option of type Literal that is not one of those it names."""
    hints = get_type_hints(type(options))
    for field in fields(options):
        allowed = get_args(hints[field.name]) if get_origin(hints[field.name]) is Literal else ()
        given = getattr(options, field.name)
        if allowed and given not in allowed:
            raise MethodError(f"{field.name} must be one of {', '.join(map(str, allowed))}, got {given!r}")


def require_one_or_more(options: Any, *names: str) -> None:
    """Refuse counts below one."""
    for name in names:
        if not getattr(options, name) >= 1:
            raise MethodError(f"{name} must be at least 1, got {getattr(options, name)}")


def require_zero_or_more(options: Any, *names: str) -> None:
    """Refuse numbers below zero, endless, or none at all."""
    for name in names:
        if not 0 <= getattr(options, name) < inf:
            raise MethodError(f"{name} must be zero or more, got {getattr(options, name)}")


def require_above_zero(options: Any, *names: str) -> None:
    """Refuse numbers that are not above zero."""
    for name in names:
        if not 0 < getattr(options, name) < inf:
            raise MethodError(f"{name} must be above zero, got {getattr(options, name)}")


def require_shares(options: Any, *names: str) -> None:
    """Refuse shares, such as of dropout, that are not at least 0 and below 1."""
    for name in names:
        if not 0 <= getattr(options, name) < 1:
            raise MethodError(f"{name} must be at least 0 and below 1, got {getattr(options, name)}")
