"""Hashed words and pairs of words of texts: no vocabulary is stored, and any text can be represented."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any, Self
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from quorate.service.classifiers.item import Item, MediaReader
from quorate.typing import Array

WORD = re.compile(r"\w+", re.UNICODE)
HASH_MASK = 0x3FFFF  # 262,144 hashes, of which only those in the training items become columns
MAX_COLUMNS = 20_000
MIN_TEXTS_TO_PRUNE = 100  # from this many training items on, a word must be in at least two of them
MAX_WORDS = 2_000  # of a text: the beginning of a long one suffices


@dataclass(frozen=True, eq=False)
class TextFeatures:
    """tf-idf of words and pairs of words, in rows of length 1.

    Attributes:
        columns: hashes that are columns, in increasing order.
        weights: log((1 + texts) / (1 + texts with the hash)) + 1 of each column.
    """

    columns: NDArray[np.int64]
    weights: Array

    @classmethod
    def fit(cls, items: Sequence[Item], media: MediaReader) -> Self:
        """Choose the columns and compute their weights from the training items."""
        hashes = [np.unique(_hashes(item)) for item in items]
        columns, n_texts = np.unique(np.concatenate([*hashes, np.empty(0, np.int64)]), return_counts=True)
        if len(items) >= MIN_TEXTS_TO_PRUNE:
            columns, n_texts = columns[n_texts > 1], n_texts[n_texts > 1]
        most_frequent = np.sort(np.argsort(-n_texts, kind="stable")[:MAX_COLUMNS])
        columns, n_texts = columns[most_frequent], n_texts[most_frequent]
        return cls(columns, np.log((1 + len(items)) / (1 + n_texts)) + 1)

    def transform(self, items: Sequence[Item], media: MediaReader) -> Any:
        """Return the features as a sparse matrix, one row per item: (n, n_columns)."""
        from scipy.sparse import csr_array  # slow to import: only where it is used

        hashes = [_hashes(item) for item in items]
        row = np.repeat(np.arange(len(items)), [len(array) for array in hashes])
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


def extract_texts(item: Item) -> tuple[str, ...]:
    """Return the texts of an item: two of a pair, none of images and audio, otherwise one.

    >>> extract_texts(Item(1, "html", {"html": "<p>an <b>item</b></p><script>no()</script>"}))
    ('an item',)
    """
    names = {"text": ("text",), "pair": ("text_a", "text_b"), "html": ("html",)}.get(item.kind, ())
    texts = tuple(str(item.content.get(name, "")) for name in names)
    return tuple(map(_visible_text, texts)) if item.kind == "html" else texts


def _hashes(item: Item) -> NDArray[np.int64]:
    hashes = (crc32(gram.encode("utf-8", "replace")) & HASH_MASK for gram in _grams(extract_texts(item)))
    return np.fromiter(hashes, dtype=np.int64)


def _grams(texts: tuple[str, ...]) -> Iterator[str]:
    """Yield words and pairs of words.

    Those of the second text get a prefix; words that are in both texts are yielded once more with another prefix.
    """
    all_words = [WORD.findall(text.lower())[:MAX_WORDS] for text in texts]
    for number, words in enumerate(all_words):
        prefix = "" if not number else f"{number}:"
        yield from (prefix + word for word in words)
        yield from (f"{prefix}{first} {second}" for first, second in pairwise(words))
    if len(all_words) == 2:
        yield from (f"={word}" for word in sorted(set(all_words[0]) & set(all_words[1])))


class _VisibleText(HTMLParser):
    """Collects the text of a page that a reader sees."""

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


def _visible_text(html: str) -> str:
    parser = _VisibleText()
    parser.feed(html)
    parser.close()
    return " ".join("".join(parser.parts).split())
