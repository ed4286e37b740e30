"""Overlap of the words, and of the letters, of two texts. Terms are hashed, so that no vocabulary is stored."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from quorate.typing import Array

N_HASHES = 2**18
TERMS: dict[str, dict[str, Any]] = {  # options of scikit-learn's HashingVectorizer
    "words": {"token_pattern": r"(?u)\w+"},
    "letters": {"analyzer": "char_wb", "ngram_range": (3, 4)},
}


def term_weights(texts: Sequence[str], kind: str) -> Array:
    """Return log((1 + texts) / (1 + texts with the term)) + 1 of every hash: (N_HASHES,)."""
    n_texts_with = np.bincount(_counts(texts, kind).indices, minlength=N_HASHES)
    return np.log((1 + len(texts)) / (1 + n_texts_with)) + 1


def overlaps(pairs: Sequence[tuple[str, str]], kind: str, weights: Array) -> list[Array]:
    """Return the cosine of the tf-idf of each pair, and the share of their terms that both texts contain.

    The weight of a term is 1 + log(its count) times `weights`, as returned by `term_weights`.

    >>> cosine, share = overlaps([("a b", "b c"), ("a", "a"), ("a", "")], "words", np.ones(N_HASHES))
    >>> cosine.round(3).tolist(), share.round(3).tolist()
    ([0.5, 1.0, 0.0], [0.333, 1.0, 0.0])
    """
    first, second = (_tf_idf([pair[side] for pair in pairs], kind, weights) for side in (0, 1))
    cosine = np.asarray(first.multiply(second).sum(axis=1)).ravel()
    n_common = np.asarray((first > 0).multiply(second > 0).sum(axis=1)).ravel()
    n_all = np.diff(first.indptr) + np.diff(second.indptr) - n_common
    return [cosine, n_common / np.maximum(n_all, 1)]


def _tf_idf(texts: Sequence[str], kind: str, weights: Array) -> Any:
    table = _counts(texts, kind)
    table.data = (1 + np.log(table.data)) * weights[table.indices]
    length = np.sqrt(np.asarray(table.multiply(table).sum(axis=1)).ravel())
    table.data /= np.repeat(np.where(length > 0, length, 1), np.diff(table.indptr))
    return table


def _counts(texts: Sequence[str], kind: str) -> Any:
    from sklearn.feature_extraction.text import HashingVectorizer

    return HashingVectorizer(n_features=N_HASHES, alternate_sign=False, norm=None, **TERMS[kind]).transform(texts)
