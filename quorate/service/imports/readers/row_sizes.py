"""What rows take in memory, so that only as many are kept at a time as there is room for."""

import itertools
import sys
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

T = TypeVar("T")


def weight_of(value: Any) -> int:
    """Return about how many bytes a cell, or a row of cells, takes in memory.

    >>> weight_of({"text": "a" * 1000}) > 1000
    True
    """
    if isinstance(value, dict):
        return sys.getsizeof(value) + sum(map(weight_of, value.values()))
    if isinstance(value, list | tuple):
        return sys.getsizeof(value) + sum(map(weight_of, value))
    return sys.getsizeof(value)


def take(rows: Iterator[T], most: int, heaviest: int, weigh: Callable[[T], int] = weight_of) -> list[T]:
    """Return the next rows: at most `most`, and no more once they weigh `heaviest`.

    >>> take(iter(["a" * 1000, "b" * 1000, "c"]), most=10, heaviest=1500) == ["a" * 1000, "b" * 1000]
    True
    """
    taken, weight = list[T](), 0
    for row in itertools.islice(rows, most):
        taken.append(row)
        weight += weigh(row)
        if weight >= heaviest:
            break
    return taken
