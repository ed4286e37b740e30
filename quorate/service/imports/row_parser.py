"""Cells of a row, by column name, parsed into an item: the checks that all formats share."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from quorate.service.imports.columns import Columns
from quorate.service.imports.detect_media import audio_extension, image_extension
from quorate.service.imports.parse_cells import parse_number, parse_number_list, parse_span
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
from quorate.service.media import Media, is_audio


@dataclass(frozen=True)
class RowParser:
    """A parser of rows into items.

    Attributes:
        columns: which columns hold what.
        features: the columns of numbers.
        name: prefix of the keys of rows that have none: `reviews-17`.
        limits: maximum sizes.
        media: where images and audio files are stored; None = they are refused.
    """

    columns: Columns
    features: tuple[str, ...] = ()
    name: str = "row"
    limits: Limits = field(default_factory=Limits)
    media: Media | None = None

    def parse(self, number: int, cells: Mapping[str, Any]) -> Row | BadRow:
        """Return the item of a row, or what is wrong with it."""
        try:
            numbers, names = self._parse_features(cells) if self.features else (None, None)
            kind, content = self._parse_content(cells)
            content |= self._parse_span(content, cells)
            if kind is None:
                if numbers is None:
                    raise RowError("the row has no content: it needs a text, image, audio, html or numbers")
                kind = FEATURES
                content = {"features": dict(zip(names, numbers, strict=True)) if names else list(numbers)}
            gold = self.gold_labels(cells) if self.columns.gold else {}
            return Row(number, self._parse_key(number, cells), kind, content, numbers, gold)
        except RowError as error:
            return BadRow(number, str(error))

    def _parse_key(self, number: int, cells: Mapping[str, Any]) -> str:
        column = self.columns.key
        if column is None:
            return f"{self.name}-{number}"
        key = cells.get(column)
        if isinstance(key, int) and not isinstance(key, bool):
            return str(key)
        if key is None or key == "":
            raise RowError(f"the key ({column}) is empty: every item needs a unique key")
        return self.check_text(column, key, self.limits.key).strip()

    def _parse_content(self, cells: Mapping[str, Any]) -> tuple[str | None, Content]:
        columns = self.columns
        if columns.text is not None and (text := cells.get(columns.text)):
            return TEXT, {"text": self.check_text(columns.text, text, self.limits.text)}
        for kind, column in ((IMAGE, columns.image), (AUDIO, columns.audio)):
            if column is not None and (value := cells.get(column)):
                return self._parse_media(kind, column, value)
        if columns.html is not None and (html := cells.get(columns.html)):
            return HTML, {"html": self.check_text(columns.html, html, self.limits.text)}
        if columns.text_a is not None and columns.text_b is not None:
            return self._parse_pair(columns.text_a, columns.text_b, cells)
        return None, {}

    def _parse_pair(self, column_a: str, column_b: str, cells: Mapping[str, Any]) -> tuple[str | None, Content]:
        texts = cells.get(column_a), cells.get(column_b)
        if not any(texts):
            return None, {}
        if not all(texts):
            raise RowError(f"a pair needs both texts: {column_b if texts[0] else column_a} is empty")
        limit = self.limits.text
        text_a, text_b = (self.check_text(*pair, limit) for pair in zip((column_a, column_b), texts, strict=True))
        return PAIR, {"text_a": text_a, "text_b": text_b}

    def _parse_span(self, content: Content, cells: Mapping[str, Any]) -> Content:
        """Return the span of the text, or of the second one, that is asked about."""
        column, text = self.columns.span, content.get("text", content.get("text_b"))
        value = None if column is None or text is None else cells.get(column)
        return {} if value is None or value == "" else {"span": parse_span(str(column), value, str(text))}

    def _parse_media(self, kind: str, column: str, value: Any) -> tuple[str, Content]:
        """Return the content for an address, the name of an uploaded file, or (in Parquet) the bytes themselves."""
        data = value.get("bytes") if isinstance(value, dict) else value
        if isinstance(data, bytes):
            return kind, {"media": self.save_media(kind, data)}
        text = self.check_text(column, value, self.limits.url).strip()
        kind = AUDIO if is_audio(text) else kind
        if text.startswith("media/"):
            if self.media is None or self.media.find(text) is None:
                raise RowError(f"{column}: there is no uploaded file {text!r}")
            return kind, {"media": text}
        return kind, {"url": _check_address(column, text)}

    def save_media(self, kind: str, data: bytes) -> str:
        """Store the bytes of an image or audio file, and return their name."""
        if self.media is None:
            raise RowError("files cannot be uploaded here: give addresses (URLs) instead")
        extension_of = audio_extension if kind == AUDIO else image_extension
        return self.media.save(data, extension_of(data, self.limits))

    def check_text(self, column: str, value: Any, limit: int) -> str:
        """Return a text, after checking that every database can store it."""
        if not isinstance(value, str):
            raise RowError(f"{column} must be text, got {type(value).__name__} {short(value)}")
        if len(value) > limit:
            raise RowError(f"{column} is too long: {len(value):,} characters, at most {limit:,}")
        if not value.strip():
            raise RowError(f"{column} is blank")
        if "\0" in value:
            raise RowError(f"{column} contains a NUL character")
        if not value.isascii():
            try:
                value.encode()
            except UnicodeEncodeError:
                raise RowError(f"{column} is not valid UTF-8: save the file as UTF-8") from None
        return value

    def gold_labels(self, cells: Mapping[str, Any]) -> dict[str, str]:
        """Return the gold labels of a row, by question."""
        labels = {}
        for question, column in self.columns.gold.items():
            value = cells.get(column)
            if value is None or value == "":
                continue
            if not isinstance(value, str | int) or isinstance(value, bool):
                raise RowError(f"the label in {column} must be a name, got {short(value)}")
            labels[question] = str(value).strip()
        return labels

    def _parse_features(self, cells: Mapping[str, Any]) -> tuple[tuple[float, ...] | None, tuple[str, ...] | None]:
        """Return the features of a row and their names; None where all cells are empty."""
        values = [cells.get(name) for name in self.features]
        if all(value is None or value == "" for value in values):
            return None, None
        names: tuple[str, ...] | None = self.features
        if len(values) == 1 and (numbers := parse_number_list(values[0])) is not None:
            values = list(numbers.values()) if isinstance(numbers, dict) else numbers
            names = tuple(numbers) if isinstance(numbers, dict) else None
        if len(values) > self.limits.numbers:
            raise RowError(f"there are {len(values):,} numbers, at most {self.limits.numbers:,} are allowed")
        labels = names or [f"number {position}" for position in range(1, len(values) + 1)]
        for name in names or ():
            self.check_text("the name of a number", name, self.limits.key)
        return tuple(parse_number(name, value) for name, value in zip(labels, values, strict=True)), names


def _check_address(column: str, text: str) -> str:
    is_valid = text.isascii() and text.isprintable() and " " not in text
    try:
        parts = urlsplit(text)
        is_valid = is_valid and parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        is_valid = False
    if not is_valid:
        raise RowError(f"{column} must be an address such as https://example.org/cat.jpg, got {short(text)}")
    return text
