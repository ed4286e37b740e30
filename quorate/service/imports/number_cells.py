"""Cells that hold numbers, for the classifier."""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from quorate.service.items.rows import RowError, short

LARGEST = 3.4e38  # what a float32 holds


def number_columns(names: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Those columns whose cells in the first rows are all numbers; `features` alone, where there is such a column."""
    if "features" in names:
        return ("features",)
    found = []
    for name in names:
        cells = [value for row in rows if (value := row.get(name)) is not None and value != ""]
        if cells and all(_is_number(value) for value in cells):
            found.append(name)
    return tuple(found)


def _is_number(value: Any) -> bool:
    if isinstance(value, str):
        try:
            float(value)
        except ValueError:
            return False
        return True
    return isinstance(value, int | float) and not isinstance(value, bool)


def number_of(name: str, value: Any) -> float:
    """The number in a cell."""
    if value is None or value == "":
        raise RowError(f"{name} is empty, where a number is needed: fill it, or name the columns of features")
    if not _is_number(value):
        raise RowError(f"{name} must be a number, got {short(value)}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not abs(number) <= LARGEST:
        raise RowError(f"{name} must be a finite number below 3.4e38, got {short(value)}")
    return number + 0.0  # minus zero becomes zero: not every database keeps its sign


def several(value: Any) -> list[Any] | dict[str, Any] | None:
    """A cell with several numbers: a list, or an object with their names; as text, in JSON."""
    if isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            raise RowError(f"the list of numbers is not JSON: {short(value)}") from None
    if isinstance(value, list | dict) and not value:
        raise RowError("the list of numbers is empty")
    return value if isinstance(value, list | dict) else None
