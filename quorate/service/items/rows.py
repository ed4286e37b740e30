"""What is read from a file: good rows, bad rows, and how large things may be."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Content: TypeAlias = dict[str, Any]

TEXT, PAIR, IMAGE, AUDIO, HTML, FEATURES = "text", "pair", "image", "audio", "html", "features"
KINDS = (TEXT, PAIR, IMAGE, AUDIO, HTML, FEATURES)


@dataclass(frozen=True, slots=True)
class Row:
    """An item to be. `gold` maps questions to the names of known labels; `number` counts rows from 1.

    content: what is shown, by kind: {text}, {text_a, text_b}, {url} or {media} of an image or sound, {html}, and
    {names, numbers} of plain features; of texts also {span}: [start, end] of the part that is asked about. HTML is as
    it was given: it may only be shown inside a sandboxed frame.
    """

    number: int
    key: str
    kind: str
    content: Content
    features: tuple[float, ...] | None = None
    gold: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BadRow:
    """A row that is left out, and why."""

    number: int
    message: str


Rows: TypeAlias = Iterator[Row | BadRow]


@dataclass(frozen=True, kw_only=True)
class Limits:
    """How large things may be: what is larger makes a bad row, and never fills the memory."""

    key: int = 200  # characters
    text: int = 100_000  # characters
    url: int = 2000
    numbers: int = 10_000  # features of an item
    row: int = 4_000_000  # bytes of a line, or of an element of a JSON file
    image: int = 20_000_000  # bytes
    pixels: int = 50_000_000
    audio: int = 50_000_000  # bytes
    entries: int = 200_000  # files in a zip
    unpacked: int = 20_000_000_000  # bytes that a zip may hold in all


class RowError(Exception):
    """What is wrong with a row; its reader makes a BadRow of it."""


def short(value: Any) -> str:
    """A value as messages show it."""
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."
