"""Texts and pairs of texts, checked."""

from typing import Any

from quorate.errors import VotesError


def as_list(x: Any, what: str = "texts") -> list[Any]:
    """The items of a list, an array or a column of a frame, at least one."""
    for name in ("tolist", "to_list"):
        x = getattr(x, name)() if hasattr(x, name) else x
    if isinstance(x, str):
        raise VotesError(f"x must be a list of {what}, got one text: put it in a list, [text]")
    if not isinstance(x, list):
        raise VotesError(f"x must be a list of {what}, got {type(x).__name__}")
    if not x:
        raise VotesError(f"x must be a list of {what}, got an empty one")
    return x


def texts(x: Any) -> list[str]:
    """Checked texts; one may be empty."""
    items = as_list(x)
    for row, text in enumerate(items):
        if not isinstance(text, str):
            numbers = isinstance(text, list)
            advice = "for numbers and images take another base" if numbers else "use '' where a text is missing"
            raise VotesError(f"x must hold texts, got {_shown(text)} (row {row + 1}): {advice}")
    return items


def parts(x: Any, n_parts: int | None = None) -> tuple[list[str], ...]:
    """Checked texts or pairs of texts: all texts, or all first and all second ones; n_parts: as many as were learnt."""
    items = as_list(x, "texts or pairs of texts")
    found = (texts(items),) if isinstance(items[0], str) else _sides(items)
    if n_parts is not None and len(found) != n_parts:
        kinds = {1: "texts", 2: "pairs of texts"}
        raise VotesError(f"x holds {kinds[len(found)]}, but the network was fitted to {kinds[n_parts]}")
    return found


def _sides(items: list[Any]) -> tuple[list[str], ...]:
    for row, pair in enumerate(items):
        if not (isinstance(pair, tuple | list) and len(pair) == 2 and all(isinstance(text, str) for text in pair)):
            raise VotesError(
                f"x must hold texts or pairs of texts, got {_shown(pair)} (row {row + 1}): give (text, text)"
            )
    return [pair[0] for pair in items], [pair[1] for pair in items]


def _shown(item: Any) -> str:
    text = " ".join(repr(item).split())
    return text if len(text) <= 40 else f"{text[:39]}…"
