"""A JSON array read element by element, however long it is."""

import json
import re
from collections.abc import Iterator
from typing import Any, TextIO

from quorate.errors import FileError

CHUNK = 1 << 18  # characters read at a time
_SPACE = re.compile(r"[ \t\r\n]*")


def elements(file: TextIO, limit: int) -> Iterator[Any]:
    """The elements of an array of objects; one of them at most (and what was read ahead) is in memory.

    >>> import io
    >>> list(elements(io.StringIO('[{"a": 1}, {"a": 2}]'), 1000))
    [{'a': 1}, {'a': 2}]
    """
    text = _Text(file, limit)
    if text.next_mark() != "[":
        raise FileError("the file must be a JSON array of objects: [{...}, ...]")
    text.place += 1
    if text.next_mark() == "]":
        return
    while True:
        yield text.element()
        if text.next_mark() == "]":
            return
        if text.next_mark() != ",":
            raise FileError(f"the JSON is broken: a comma is missing before {text.shown!r}")
        text.place += 1


class _Text:
    """A window on a file that moves forward."""

    def __init__(self, file: TextIO, limit: int) -> None:
        self._file, self._limit, self._decoder = file, limit, json.JSONDecoder()
        self._text, self.place = "", 0

    @property
    def shown(self) -> str:
        """Where we are, for messages."""
        return self._text[self.place : self.place + 40]

    def next_mark(self) -> str:
        """The next character that is no space; a file that ends before it is cut off."""
        while True:
            found = _SPACE.match(self._text, self.place)
            self.place = found.end() if found else self.place
            if self.place < len(self._text):
                return self._text[self.place]
            if not self._read(CHUNK):
                raise FileError("the JSON ends too early: is the file complete?")

    def element(self) -> Any:
        """The object that starts here."""
        if self.next_mark() not in "{[":
            raise FileError(f"the JSON is broken: an object should start at {self.shown!r}")
        while True:
            try:
                value, self.place = self._decoder.raw_decode(self._text, self.place)
                return value
            except (ValueError, RecursionError) as error:
                wrong = error
            # Twice as much each time, so that a long element is not parsed over and over.
            if len(self._text) - self.place > self._limit or not self._read(max(CHUNK, len(self._text) - self.place)):
                raise FileError(f"the JSON is broken, or an object is too long, at {self.shown!r} ({wrong})") from None

    def _read(self, size: int) -> bool:
        more = self._file.read(size)
        self._text, self.place = self._text[self.place :] + more, 0
        return bool(more)
