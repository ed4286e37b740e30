"""Which part of a text is asked about."""

import re
from typing import Any

from quorate.service.items.rows import RowError, short

_WRITTEN = re.compile(r"\[?\s*(\d{1,9})\s*[-:,]\s*(\d{1,9})\s*\]?")


def span_of(column: str, value: Any, text: str) -> list[int]:
    """Where the part begins and ends, in characters from 0: `4-8`, `4:8` or [4, 8].

    >>> span_of("span", "4-8", "The frog sings.")
    [4, 8]
    """
    found = _WRITTEN.fullmatch(value.strip()) if isinstance(value, str) else None
    places = [int(place) for place in found.groups()] if found else value
    if isinstance(places, list | tuple) and len(places) == 2 and all(type(place) is int for place in places):
        start, end = places
        if 0 <= start < end <= len(text):
            return [start, end]
    raise RowError(
        f"{column} must say where a part of the text begins and ends, such as 4-8 (of {len(text):,} characters), "
        f"got {short(value)}"
    )
