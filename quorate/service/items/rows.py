"""Rows of a file or request: valid rows, bad rows, and limits of their sizes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Content: TypeAlias = dict[str, Any]

TEXT, PAIR, IMAGE, AUDIO, HTML, FEATURES = "text", "pair", "image", "audio", "html", "features"
KINDS = (TEXT, PAIR, IMAGE, AUDIO, HTML, FEATURES)


@dataclass(frozen=True, slots=True)
class Row:
    """A row that describes an item.

    Attributes:
        number: of the row, from 1.
        key: of the item.
        kind: one of KINDS.
        content: what is shown, by kind: {text}, {text_a, text_b}, {url} or {media} of an image or sound, {html}, and
            {names, numbers} of plain features; of texts also {span}: [start, end] of the part that the question is
            about. HTML is not sanitized: it may only be shown inside a sandboxed frame.
        features: of the item, for classifiers.
        gold: the names of gold labels, by question.
    """

    number: int
    key: str
    kind: str
    content: Content
    features: tuple[float, ...] | None = None
    gold: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BadRow:
    """A row that is skipped, and why."""

    number: int
    message: str


Rows: TypeAlias = Iterator[Row | BadRow]


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Limits of sizes: what is larger becomes a bad row, and never fills the memory."""

    key: int = 200  # characters
    text: int = 100_000  # characters
    url: int = 2000
    numbers: int = 10_000  # features of an item
    row: int = 4_000_000  # bytes of a line, or of an element of a JSON file
    image: int = 20_000_000  # bytes
    pixels: int = 50_000_000
    audio: int = 50_000_000  # bytes
    entries: int = 200_000  # files in a zip
    unpacked: int = 20_000_000_000  # bytes of all files in a zip


class RowError(Exception):
    """An error in a row; its reader turns it into a BadRow."""


def short(value: Any) -> str:
    """Return a value as messages show it: at most 60 characters."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
