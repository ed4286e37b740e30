"""One row's cells, by column name, made into an item: the checks that all formats share."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from quorate.service.imports.columns import Columns
from quorate.service.imports.media_sniff import image_ending, sound_ending
from quorate.service.imports.number_cells import number_of, several
from quorate.service.imports.text_spans import span_of
from quorate.service.items.rows import (
    AUDIO,
    FEATURES,
    HTML,
    IMAGE,
    PAIR,
    TEXT,
    BadRow,
    Content,
    Limits,
    Row,
    RowError,
    short,
)
from quorate.service.media import Media, is_sound


@dataclass(frozen=True)
class RowMaker:
    """Makes items of cells. `name` starts the keys of rows that have none: `reviews-17`."""

    columns: Columns
    features: tuple[str, ...] = ()
    name: str = "row"
    limits: Limits = field(default_factory=Limits)
    media: Media | None = None

    def make(self, number: int, cells: Mapping[str, Any]) -> Row | BadRow:
        """The item of a row, or what is wrong with it."""
        try:
            numbers, names = self._numbers(cells) if self.features else (None, None)
            kind, content = self._content(cells)
            content |= self._span(content, cells)
            if kind is None:
                if numbers is None:
                    raise RowError("there is nothing to show: the row needs a text, image, audio, html or numbers")
                kind = FEATURES
                content = {"features": dict(zip(names, numbers, strict=True)) if names else list(numbers)}
            gold = self.gold(cells) if self.columns.gold else {}
            return Row(number, self._key(number, cells), kind, content, numbers, gold)
        except RowError as error:
            return BadRow(number, str(error))

    def _key(self, number: int, cells: Mapping[str, Any]) -> str:
        column = self.columns.key
        if column is None:
            return f"{self.name}-{number}"
        key = cells.get(column)
        if isinstance(key, int) and not isinstance(key, bool):
            return str(key)
        if key is None or key == "":
            raise RowError(f"the key ({column}) is empty: give every item a name of its own")
        return self.checked(column, key, self.limits.key).strip()

    def _content(self, cells: Mapping[str, Any]) -> tuple[str | None, Content]:
        columns = self.columns
        if columns.text is not None and (text := cells.get(columns.text)):
            return TEXT, {"text": self.checked(columns.text, text, self.limits.text)}
        for kind, column in ((IMAGE, columns.image), (AUDIO, columns.audio)):
            if column is not None and (value := cells.get(column)):
                return self._medium(kind, column, value)
        if columns.html is not None and (html := cells.get(columns.html)):
            return HTML, {"html": self.checked(columns.html, html, self.limits.text)}
        if columns.text_a is not None and columns.text_b is not None:
            return self._pair(columns.text_a, columns.text_b, cells)
        return None, {}

    def _pair(self, one: str, two: str, cells: Mapping[str, Any]) -> tuple[str | None, Content]:
        texts = cells.get(one), cells.get(two)
        if not any(texts):
            return None, {}
        if not all(texts):
            raise RowError(f"a pair needs both texts: {one if not texts[0] else two} is empty")
        limit = self.limits.text
        return PAIR, {"text_a": self.checked(one, texts[0], limit), "text_b": self.checked(two, texts[1], limit)}

    def _span(self, content: Content, cells: Mapping[str, Any]) -> Content:
        """The part of the text, or of the second one, that is asked about."""
        column, text = self.columns.span, content.get("text", content.get("text_b"))
        value = None if column is None or text is None else cells.get(column)
        return {} if value is None or value == "" else {"span": span_of(str(column), value, str(text))}

    def _medium(self, kind: str, column: str, value: Any) -> tuple[str, Content]:
        """An address, the name of a file that was uploaded before, or (of Parquet) the bytes themselves."""
        data = value.get("bytes") if isinstance(value, dict) else value
        if isinstance(data, bytes):
            return kind, {"media": self.saved(kind, data)}
        text = self.checked(column, value, self.limits.url).strip()
        kind = AUDIO if is_sound(text) else kind
        if text.startswith("media/"):
            if self.media is None or self.media.find(text) is None:
                raise RowError(f"{column}: there is no uploaded file {text!r}")
            return kind, {"media": text}
        return kind, {"url": _address(column, text)}

    def saved(self, kind: str, data: bytes) -> str:
        """Keep the bytes of an image or sound, and return their name."""
        if self.media is None:
            raise RowError("files cannot be kept here: give addresses (URLs) instead")
        check = sound_ending if kind == AUDIO else image_ending
        return self.media.save(data, check(data, self.limits))

    def checked(self, column: str, value: Any, limit: int) -> str:
        """A text that any database can keep."""
        if not isinstance(value, str):
            raise RowError(f"{column} must be text, got {type(value).__name__} {short(value)}")
        if len(value) > limit:
            raise RowError(f"{column} is too long: {len(value):,} characters, at most {limit:,}")
        if not value.strip():
            raise RowError(f"{column} is blank")
        if "\0" in value:
            raise RowError(f"{column} holds a NUL character")
        if not value.isascii():
            try:
                value.encode()
            except UnicodeEncodeError:
                raise RowError(f"{column} is not valid UTF-8: save the file as UTF-8") from None
        return value

    def gold(self, cells: Mapping[str, Any]) -> dict[str, str]:
        """The known labels of a row, by question."""
        gold = {}
        for question, column in self.columns.gold.items():
            value = cells.get(column)
            if value is None or value == "":
                continue
            if not isinstance(value, str | int) or isinstance(value, bool):
                raise RowError(f"the label in {column} must be a name, got {short(value)}")
            gold[question] = str(value).strip()
        return gold

    def _numbers(self, cells: Mapping[str, Any]) -> tuple[tuple[float, ...] | None, tuple[str, ...] | None]:
        """The features of a row, and their names; none where all their cells are empty."""
        found = [cells.get(name) for name in self.features]
        if all(value is None or value == "" for value in found):
            return None, None
        names: tuple[str, ...] | None = self.features
        if len(found) == 1 and (many := several(found[0])) is not None:
            found = list(many.values()) if isinstance(many, dict) else many
            names = tuple(many) if isinstance(many, dict) else None
        if len(found) > self.limits.numbers:
            raise RowError(f"there are {len(found):,} numbers, at most {self.limits.numbers:,} are kept")
        labels = names or [f"number {place}" for place in range(1, len(found) + 1)]
        for name in names or ():
            self.checked("the name of a number", name, self.limits.key)
        return tuple(number_of(name, value) for name, value in zip(labels, found, strict=True)), names


def _address(column: str, text: str) -> str:
    good = text.isascii() and text.isprintable() and " " not in text
    try:
        parts = urlsplit(text)
        good = good and parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        good = False
    if not good:
        raise RowError(f"{column} must be an address such as https://example.org/cat.jpg, got {short(text)}")
    return text
