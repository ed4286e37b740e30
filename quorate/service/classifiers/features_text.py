"""Words and pairs of words of texts, hashed: any text can be read, and no list of words need be kept."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any, Self
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from quorate.service.classifiers.item import Item, Media
from quorate.typing import Array

WORD = re.compile(r"\w+", re.UNICODE)
BITS = 0x3FFFF  # of a hash: 262,144 columns, of which those are kept that the items which teach have
MOST_COLUMNS, ENOUGH = 20_000, 100  # columns; items from which on a word must be in two of them
MOST_WORDS = 2_000  # of one text: the beginning of a book tells enough


@dataclass(frozen=True, eq=False)
class Words:
    """tf-idf of words and pairs of words, rows of length 1.

    columns: hashes that are kept, in rising order. weights: log((1 + texts) / (1 + texts with it)) + 1 of each.
    """

    columns: NDArray[np.int64]
    weights: Array

    @classmethod
    def learnt(cls, items: Sequence[Item], media: Media) -> Self:
        """From the items that teach."""
        found = [np.unique(_hashes(item)) for item in items]
        columns, n_texts = np.unique(np.concatenate([*found, np.empty(0, np.int64)]), return_counts=True)
        if len(items) >= ENOUGH:
            columns, n_texts = columns[n_texts > 1], n_texts[n_texts > 1]
        commonest = np.sort(np.argsort(-n_texts, kind="stable")[:MOST_COLUMNS])
        columns, n_texts = columns[commonest], n_texts[commonest]
        return cls(columns, np.log((1 + len(items)) / (1 + n_texts)) + 1)

    def rows(self, items: Sequence[Item], media: Media) -> Any:
        """One sparse row per item: (n, n_columns)."""
        from scipy.sparse import csr_array  # heavy: imported by those who use it

        hashes = [_hashes(item) for item in items]
        row = np.repeat(np.arange(len(items)), [len(one) for one in hashes])
        all_hashes = np.concatenate([*hashes, np.empty(0, np.int64)])
        column = np.searchsorted(self.columns, all_hashes)
        kept = self.columns[np.minimum(column, len(self.columns) - 1)] == all_hashes if len(self.columns) else []
        row, column = row[kept], column[kept]
        counts = csr_array((np.ones(len(row)), (row, column)), shape=(len(items), len(self.columns)))
        counts.sum_duplicates()
        counts.data = (1 + np.log(counts.data)) * self.weights[counts.indices]
        length = np.sqrt(np.asarray(counts.multiply(counts).sum(axis=1)).ravel())
        counts.data /= np.repeat(np.where(length > 0, length, 1), np.diff(counts.indptr))
        return counts


def texts_of(item: Item) -> tuple[str, ...]:
    """The texts of an item: one, two of a pair, none of images and sounds.

    >>> texts_of(Item(1, "html", {"html": "<p>an <b>item</b></p><script>no()</script>"}))
    ('an item',)
    """
    names = {"text": ("text",), "pair": ("text_a", "text_b"), "html": ("html",)}.get(item.kind, ())
    texts = tuple(str(item.content.get(name, "")) for name in names)
    return tuple(map(_shown, texts)) if item.kind == "html" else texts


def _hashes(item: Item) -> NDArray[np.int64]:
    grams = (crc32(gram.encode("utf-8", "replace")) & BITS for gram in _grams(texts_of(item)))
    return np.fromiter(grams, dtype=np.int64)


def _grams(texts: tuple[str, ...]) -> Iterator[str]:
    """Words and pairs of words; those of the second text apart from the first, and what both have once more."""
    every = [WORD.findall(text.lower())[:MOST_WORDS] for text in texts]
    for number, words in enumerate(every):
        start = "" if not number else f"{number}:"
        yield from (start + word for word in words)
        yield from (f"{start}{one} {two}" for one, two in pairwise(words))
    if len(every) == 2:
        yield from (f"={word}" for word in sorted(set(every[0]) & set(every[1])))


class _Shown(HTMLParser):
    """Gathers what a reader of a page sees."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.hidden = ""

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        """See HTMLParser."""
        self.hidden = tag if tag in ("script", "style") else self.hidden

    def handle_endtag(self, tag: str) -> None:
        """See HTMLParser."""
        self.hidden = "" if tag == self.hidden else self.hidden

    def handle_data(self, data: str) -> None:
        """See HTMLParser."""
        if not self.hidden:
            self.parts.append(data)


def _shown(html: str) -> str:
    parser = _Shown()
    parser.feed(html)
    parser.close()
    return " ".join("".join(parser.parts).split())
