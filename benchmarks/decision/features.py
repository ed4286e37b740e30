"""What the classifier of a replay sees of each item: columns that are alike in scale, made without any label."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from quorate.io.datasets import Dataset
from quorate.learning.bases.transformer import Transformer
from quorate.typing import Array

COLUMNS = 128  # at most, of features that a set brings or an encoder makes
TOPICS = 80  # of words


def features_of(data: Dataset, rows: NDArray[np.int64]) -> Array | None:
    """Return features of some items of a set, (n_rows, n_columns); None if its items have no content.

    What words are common, and how columns spread, is learnt from all items of the set. Features that come with a set
    are taken; else texts are read: topics of their words, beside what all-MiniLM-L6-v2 makes of them; of pairs of texts
    how alike they are, beside topics, to which the encoder added nothing.
    """
    if sparse.issparse(data.features):
        return _topics_of_counts(data.features)[rows]
    if data.features is not None:
        return _principal(np.nan_to_num(np.asarray(data.features, dtype=np.float64)))[rows]
    if "text2" in data.items.columns:
        return _pairs(_texts(data, "text"), _texts(data, "text2"))[rows]
    if "text" not in data.items.columns:
        return None
    texts = _texts(data, "text")
    return np.hstack([_topics(texts)[rows], _principal(_encoded([texts[row] for row in rows.tolist()]))])


def _texts(data: Dataset, column: str) -> list[str]:
    return data.items[column].fill_null("").to_list()


def _encoded(texts: list[str]) -> Array:
    base = Transformer()
    rows: Any = base.rows(texts, base.learn(texts))
    return rows.values.numpy().astype(np.float64)


def _principal(numbers: Array) -> Array:
    """Standardised, and the first principal components where there are many columns."""
    numbers = _standard(numbers)
    if numbers.shape[1] <= COLUMNS:
        return numbers
    left, size, _ = np.linalg.svd(numbers, full_matrices=False)
    components: Array = left[:, :COLUMNS] * size[:COLUMNS]
    return components / components.std()


def _standard(numbers: Array) -> Array:
    spread = numbers.std(axis=0)
    return (numbers - numbers.mean(axis=0)) / np.where(spread > 1e-12, spread, 1.0)


def _topics_of_counts(counts: Any) -> Array:
    from sklearn.feature_extraction.text import TfidfTransformer

    return _reduced(TfidfTransformer(sublinear_tf=True).fit_transform(counts))


def _topics(texts: list[str]) -> Array:
    from sklearn.feature_extraction.text import TfidfVectorizer

    return _reduced(TfidfVectorizer(sublinear_tf=True, min_df=2, ngram_range=(1, 2)).fit_transform(texts))


def _reduced(words: Any) -> Array:
    """Latent topics of tf-idf rows, each with deviation one."""
    from sklearn.decomposition import TruncatedSVD

    topics = TruncatedSVD(min(TOPICS, words.shape[1] - 1), random_state=0).fit_transform(words)
    return topics / np.maximum(topics.std(axis=0), 1e-12)


def _pairs(first: list[str], second: list[str]) -> Array:
    """Return similarities of two texts by words and by letters, weighted three times as much as the topics of both."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    alike = []
    for analyzer, ngrams in (("word", (1, 1)), ("char_wb", (3, 4))):
        terms = TfidfVectorizer(analyzer=analyzer, ngram_range=ngrams, sublinear_tf=True).fit(first + second)
        one, two = terms.transform(first), terms.transform(second)
        cosine = np.asarray(one.multiply(two).sum(axis=1)).ravel()
        shared = np.asarray((one > 0).multiply(two > 0).sum(axis=1)).ravel()
        alike += [cosine, cosine**2, shared / np.maximum(np.diff(two.indptr), 1)]
    both = [f"{one} {two}" for one, two in zip(first, second, strict=True)]
    return np.hstack([3 * _standard(np.column_stack(alike)), _topics(both)])
