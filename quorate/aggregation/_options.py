"""Checks of options that several methods have."""

import numpy as np

from quorate.errors import MethodError

LEAST = 1e-9  # pseudo-votes; with fewer, an accuracy could round to one


def require_above_zero(**options: float) -> None:
    """Refuse numbers that are not above zero, or are endless.

    >>> require_above_zero(strength=8.0)
    """
    for name, value in options.items():
        if not LEAST < value < np.inf:
            raise MethodError(f"{name} must be a number above zero, got {value}")


def require_one_or_more(**options: int) -> None:
    """Refuse counts below one.

    >>> require_one_or_more(max_rounds=100)
    """
    for name, value in options.items():
        if value < 1:
            raise MethodError(f"{name} must be at least 1, got {value}")


def require_zero_or_more(**options: int) -> None:
    """Refuse numbers below zero.

    >>> require_zero_or_more(seed=0)
    """
    for name, value in options.items():
        if value < 0:
            raise MethodError(f"{name} must be zero or more, got {value}")
