"""Which column holds what: named by the caller, or guessed from the header."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from quorate.errors import FileError

KEYS = ("key", "id", "task", "item", "item_id", "task_id", "uuid")
TEXTS = ("text", "sentence", "document", "review", "tweet", "body", "content", "source")
PAIRS = (("text_a", "text_b"), ("premise", "hypothesis"), ("text1", "text2"), ("sentence1", "sentence2"))
IMAGES = ("image", "image_url", "img", "url", "source-ref")
AUDIOS = ("audio", "audio_url", "sound")
SHOWN = ("text", "text_a", "text_b", "image", "audio", "html")


@dataclass(frozen=True, kw_only=True)
class Columns:
    """The columns of a file. Where none of those that are shown is named, all are guessed.

    span: where the part of a text that is asked about begins and ends; of a pair, in the second text. Never guessed.
    features: names of number columns; none = all columns left over that hold numbers only.
    gold: for each question, the column of its known labels; never guessed, since labels must not leak by accident.
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

    def found_in(self, header: Iterable[str]) -> Self:
        """The same with what was left open guessed; a column that is named must be there."""
        names = list(header)
        self._check(names)
        found = self if self._shows else replace(self, **_guess_shown(names))
        if found.key is None:
            found = replace(found, key=_first(names, KEYS))
        return found

    def left_over(self, header: Iterable[str]) -> list[str]:
        """Columns that nothing else uses: those of numbers may be features. A number called `id` is none."""
        used = {*self.used(), "kind"}
        return [name for name in header if name not in used and name.strip().lower() not in ("", *KEYS)]

    def used(self) -> set[str]:
        """Return the columns that are named or guessed, features left out."""
        named = (self.key, self.span, *(getattr(self, name) for name in SHOWN), *self.gold.values())
        return {name for name in named if name is not None}

    @property
    def _shows(self) -> bool:
        return any(getattr(self, name) is not None for name in SHOWN) or self.features is not None

    def _check(self, names: list[str]) -> None:
        twice = sorted({name for name in names if name and names.count(name) > 1}) if len(names) < 10_000 else []
        if twice:
            raise FileError(f"the column {twice[0]!r} is there twice: rename one of them")
        shown = (getattr(self, name) for name in SHOWN)
        named = [self.key, self.span, *shown, *(self.features or ()), *self.gold.values()]
        missing = [name for name in named if name is not None and name not in names]
        if missing:
            raise FileError(f"there is no column {missing[0]!r}: the columns are {', '.join(names[:50]) or '(none)'}")
        if (self.text_a is None) != (self.text_b is None):
            raise FileError("a pair of texts needs both columns: name text_a and text_b")


def _first(names: list[str], wanted: Iterable[str]) -> str | None:
    plain = {name.strip().lower(): name for name in reversed(names)}
    return next((plain[one] for one in wanted if one in plain), None)


def _guess_shown(names: list[str]) -> dict[str, Any]:
    found: dict[str, str | None] = {
        "text": _first(names, TEXTS),
        "image": _first(names, IMAGES),
        "audio": _first(names, AUDIOS),
        "html": _first(names, ("html",)),
    }
    for one, two in PAIRS:
        pair = _first(names, (one,)), _first(names, (two,))
        if None not in pair:
            found |= {"text_a": pair[0], "text_b": pair[1]}
            break
    return {name: column for name, column in found.items() if column is not None}
