"""A reader of long JSON arrays, element by element."""

import json
import re
from collections.abc import Iterator
from typing import Any, TextIO

from quorate.errors import FileError

CHUNK = 1 << 18  # characters read at a time
_SPACE = re.compile(r"[ \t\r\n]*")


def read_elements(file: TextIO, limit: int) -> Iterator[Any]:
    """Yield the elements of an array of objects; only one of them (and what was read ahead) is in memory.

    >>> import io
    >>> list(read_elements(io.StringIO('[{"a": 1}, {"a": 2}]'), 1000))
    [{'a': 1}, {'a': 2}]
    """
    window = _Window(file, limit)
    if window.next_character() != "[":
        raise FileError("the file must be a JSON array of objects: [{...}, ...]")
    window.position += 1
    if window.next_character() == "]":
        return
    while True:
        yield window.read_element()
        if window.next_character() == "]":
            return
        if window.next_character() != ",":
            raise FileError(f"the JSON is broken: a comma is missing before {window.excerpt!r}")
        window.position += 1


class _Window:
    """A part of a file in memory, which moves forward."""

    def __init__(self, file: TextIO, limit: int) -> None:
        self._file, self._limit, self._decoder = file, limit, json.JSONDecoder()
        self._text, self.position = "", 0

    @property
    def excerpt(self) -> str:
        """The text at the current position, for messages."""
        return self._text[self.position : self.position + 40]

    def next_character(self) -> str:
        """Return the next character that is not whitespace; raise where the file ends before it."""
        while True:
            match = _SPACE.match(self._text, self.position)
            self.position = match.end() if match else self.position
            if self.position < len(self._text):
                return self._text[self.position]
            if not self._read(CHUNK):
                raise FileError("the JSON ends too early: is the file complete?")

    def read_element(self) -> Any:
        """Return the object that starts at the current position."""
        if self.next_character() not in "{[":
            raise FileError(f"the JSON is broken: an object should start at {self.excerpt!r}")
        while True:
            try:
                value, self.position = self._decoder.raw_decode(self._text, self.position)
                return value
            except (ValueError, RecursionError) as error:
                reason = error
            # Doubles the window each time, so that a long element is not parsed many times.
            n_ahead = len(self._text) - self.position
            if n_ahead > self._limit or not self._read(max(CHUNK, n_ahead)):
                message = f"the JSON is broken, or an object is too long, at {self.excerpt!r} ({reason})"
                raise FileError(message) from None

    def _read(self, size: int) -> bool:
        more = self._file.read(size)
        self._text, self.position = self._text[self.position :] + more, 0
        return bool(more)
