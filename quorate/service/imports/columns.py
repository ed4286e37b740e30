"""The columns of a file by what they hold: named by the caller, or guessed from the header."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from quorate.errors import FileError

KEY_NAMES = ("key", "id", "task", "item", "item_id", "task_id", "uuid")
TEXT_NAMES = ("text", "sentence", "document", "review", "tweet", "body", "content", "source")
PAIR_NAMES = (("text_a", "text_b"), ("premise", "hypothesis"), ("text1", "text2"), ("sentence1", "sentence2"))
IMAGE_NAMES = ("image", "image_url", "img", "url", "source-ref")
AUDIO_NAMES = ("audio", "audio_url", "sound")
CONTENT = ("text", "text_a", "text_b", "image", "audio", "html")  # fields of Columns that are shown to voters


@dataclass(frozen=True, kw_only=True)
class Columns:
    """The columns of a file. Where no column of `CONTENT` is named, all of them are guessed.

    Attributes:
        key: the ids of the items.
        text: one text.
        text_a: the first text of a pair.
        text_b: the second text of a pair.
        image: addresses, names of uploaded files, or bytes of images.
        audio: the same of audio files.
        html: HTML.
        span: start and end of the part of a text that is asked about; of a pair, in the second text. Never guessed.
        features: columns of numbers; None = all unused columns that hold numbers only.
        gold: by question, the column of its gold labels. Never guessed, since labels must not leak by accident.
    """

    key: str | None = None
    text: str | None = None
    text_a: str | None = None
    text_b: str | None = None
    image: str | None = None
    audio: str | None = None
    html: str | None = None
    span: str | None = None
    features: tuple[str, ...] | None = None
    gold: Mapping[str, str] = field(default_factory=dict)

    def resolve(self, header: Iterable[str]) -> Self:
        """Return the columns with those that are not named guessed from a header; a named column must be in it."""
        names = list(header)
        self._check(names)
        columns = self if self._has_content else replace(self, **_guess_content(names))
        if columns.key is None:
            columns = replace(columns, key=_first(names, KEY_NAMES))
        return columns

    def unused(self, header: Iterable[str]) -> list[str]:
        """Return the columns of a header that nothing else uses, which may be features; an id is never one."""
        used = {*self.used(), "kind"}
        return [name for name in header if name not in used and name.strip().lower() not in ("", *KEY_NAMES)]

    def used(self) -> set[str]:
        """Return the columns that are named or guessed, without features."""
        names = (self.key, self.span, *(getattr(self, name) for name in CONTENT), *self.gold.values())
        return {name for name in names if name is not None}

    @property
    def _has_content(self) -> bool:
        return any(getattr(self, name) is not None for name in CONTENT) or self.features is not None

    def _check(self, names: list[str]) -> None:
        repeated = sorted({name for name in names if name and names.count(name) > 1}) if len(names) < 10_000 else []
        if repeated:
            raise FileError(f"the column {repeated[0]!r} appears twice: rename one of them")
        content = (getattr(self, name) for name in CONTENT)
        named = [self.key, self.span, *content, *(self.features or ()), *self.gold.values()]
        missing = [name for name in named if name is not None and name not in names]
        if missing:
            raise FileError(f"there is no column {missing[0]!r}: the columns are {', '.join(names[:50]) or '(none)'}")
        if (self.text_a is None) != (self.text_b is None):
            raise FileError("a pair of texts needs both columns: name text_a and text_b")


def _first(names: list[str], candidates: Iterable[str]) -> str | None:
    normalized = {name.strip().lower(): name for name in reversed(names)}
    return next((normalized[name] for name in candidates if name in normalized), None)


def _guess_content(names: list[str]) -> dict[str, Any]:
    columns: dict[str, str | None] = {
        "text": _first(names, TEXT_NAMES),
        "image": _first(names, IMAGE_NAMES),
        "audio": _first(names, AUDIO_NAMES),
        "html": _first(names, ("html",)),
    }
    for name_a, name_b in PAIR_NAMES:
        pair = _first(names, (name_a,)), _first(names, (name_b,))
        if None not in pair:
            columns |= {"text_a": pair[0], "text_b": pair[1]}
            break
    return {name: column for name, column in columns.items() if column is not None}
