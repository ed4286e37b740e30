"""The memory that rows take, so that no more rows are held at a time than fit."""

import itertools
import sys
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

T = TypeVar("T")


def memory_size(value: Any) -> int:
    """Return approximately how many bytes a cell, or a row of cells, takes in memory.

    >>> memory_size({"text": "a" * 1000}) > 1000
    True
    """
    if isinstance(value, dict):
        return sys.getsizeof(value) + sum(map(memory_size, value.values()))
    if isinstance(value, list | tuple):
        return sys.getsizeof(value) + sum(map(memory_size, value))
    return sys.getsizeof(value)


def take_rows(rows: Iterator[T], max_rows: int, max_bytes: int, size_of: Callable[[T], int] = memory_size) -> list[T]:
    """Return the next rows: at most `max_rows`, and none after their size has reached `max_bytes`.

    >>> take_rows(iter(["a" * 1000, "b" * 1000, "c"]), max_rows=10, max_bytes=1500) == ["a" * 1000, "b" * 1000]
    True
    """
    taken, size = list[T](), 0
    for row in itertools.islice(rows, max_rows):
        taken.append(row)
        size += size_of(row)
        if size >= max_bytes:
            break
    return taken
