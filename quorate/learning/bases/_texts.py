"""Checks of texts and pairs of texts."""

from typing import Any

from quorate.errors import VotesError


def check_list(x: Any, content: str = "texts") -> list[Any]:
    """Return the items of a non-empty list, array or column of a frame as a list; content: for messages."""
    for name in ("tolist", "to_list"):
        x = getattr(x, name)() if hasattr(x, name) else x
    if isinstance(x, str):
        raise VotesError(f"x must be a list of {content}, got a single text: put it in a list, [text]")
    if not isinstance(x, list):
        raise VotesError(f"x must be a list of {content}, got {type(x).__name__}")
    if not x:
        raise VotesError(f"x must be a list of {content}, got an empty list")
    return x


def check_texts(x: Any) -> list[str]:
    """Return x as a list of texts; texts may be empty."""
    items = check_list(x)
    for row, text in enumerate(items):
        if not isinstance(text, str):
            numbers = isinstance(text, list)
            advice = "use another base for numbers and images" if numbers else "use '' where a text is missing"
            raise VotesError(f"x must hold texts, got {_short_repr(text)} (row {row + 1}): {advice}")
    return items


def check_texts_or_pairs(x: Any, n_parts: int | None = None) -> tuple[list[str], ...]:
    """Return the list of texts, or the lists of all first and all second texts of pairs.

    n_parts: 1 if texts are expected, 2 if pairs; None accepts both.
    """
    items = check_list(x, "texts or pairs of texts")
    sides = (check_texts(items),) if isinstance(items[0], str) else _unzip_pairs(items)
    if n_parts is not None and len(sides) != n_parts:
        kinds = {1: "texts", 2: "pairs of texts"}
        raise VotesError(f"x holds {kinds[len(sides)]}, but the network was fitted to {kinds[n_parts]}")
    return sides


def _unzip_pairs(items: list[Any]) -> tuple[list[str], ...]:
    for row, pair in enumerate(items):
        if not (isinstance(pair, tuple | list) and len(pair) == 2 and all(isinstance(text, str) for text in pair)):
            raise VotesError(
                f"x must hold texts or pairs of texts, got {_short_repr(pair)} (row {row + 1}): pass (text, text)"
            )
    return [pair[0] for pair in items], [pair[1] for pair in items]


def _short_repr(item: Any) -> str:
    text = " ".join(repr(item).split())
    return text if len(text) <= 40 else f"{text[:39]}…"
