"""Cells that hold numbers, or the position of a part of a text."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from quorate.service.items.rows import RowError, short

MAX_NUMBER = 3.4e38  # of a float32
_SPAN = re.compile(r"\[?\s*(\d{1,9})\s*[-:,]\s*(\d{1,9})\s*\]?")


def number_columns(names: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Return the columns whose cells in the first rows are all numbers; only `features`, where it is a column."""
    if "features" in names:
        return ("features",)
    columns = []
    for name in names:
        cells = [value for row in rows if (value := row.get(name)) is not None and value != ""]
        if cells and all(_is_number(value) for value in cells):
            columns.append(name)
    return tuple(columns)


def _is_number(value: Any) -> bool:
    if isinstance(value, str):
        try:
            float(value)
        except ValueError:
            return False
        return True
    return isinstance(value, int | float) and not isinstance(value, bool)


def parse_number(name: str, value: Any) -> float:
    """Return the number in a cell."""
    if value is None or value == "":
        raise RowError(f"{name} is empty, where a number is needed: fill it, or name the columns of features")
    if not _is_number(value):
        raise RowError(f"{name} must be a number, got {short(value)}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not abs(number) <= MAX_NUMBER:
        raise RowError(f"{name} must be a finite number below 3.4e38, got {short(value)}")
    return number + 0.0  # turns minus zero into zero: not every database keeps its sign


def parse_number_list(value: Any) -> list[Any] | dict[str, Any] | None:
    """Return the numbers of a cell that holds several: a list, or a dict with their names, also as JSON text."""
    if isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            raise RowError(f"the list of numbers is not JSON: {short(value)}") from None
    if isinstance(value, list | dict) and not value:
        raise RowError("the list of numbers is empty")
    return value if isinstance(value, list | dict) else None


def parse_span(column: str, value: Any, text: str) -> list[int]:
    """Return the start and end of a part of a text, in characters from 0: written as `4-8`, `4:8` or [4, 8].

    >>> parse_span("span", "4-8", "The frog sings.")
    [4, 8]
    """
    match = _SPAN.fullmatch(value.strip()) if isinstance(value, str) else None
    bounds = [int(number) for number in match.groups()] if match else value
    if isinstance(bounds, list | tuple) and len(bounds) == 2 and all(type(number) is int for number in bounds):
        start, end = bounds
        if 0 <= start < end <= len(text):
            return [start, end]
    raise RowError(
        f"{column} must be the start and end of a part of the text, such as 4-8 (of {len(text):,} characters), "
        f"got {short(value)}"
    )
