"""Features of items for a simple classifier: columns of numbers on one scale, computed without labels."""

from typing import Any

import numpy as np

from quorate.errors import MethodError
from quorate.io.items import Items
from quorate.learning.tuning import TUNING
from quorate.typing import Array

MIN_SQUARE = 1e-24  # mean squared row length below which all items are the same, but for rounding


def feature_table(items: Items) -> Array:
    """Return features or texts as a table for `IncrementalClassifier`: (n_items, n_columns).

    Many columns are reduced to the directions in which the items differ most. Of texts, these are directions of the
    tf-idf of their words; of pairs of texts, of the words of both.

    >>> feature_table(Items(tasks=np.array(["a", "b"]), kind="features", x=np.array([[1.0, 5.0], [3.0, 5.0]]))).tolist()
    [[-1.0, 0.0], [1.0, 0.0]]
    """
    if items.kind in ("texts", "pairs"):
        texts = [text if isinstance(text, str) else " ".join(text) for text in items.x]
        return _reduce(_tf_idf(texts))
    if items.kind == "features" and items.x.ndim == 2:
        table = items.x.toarray() if hasattr(items.x, "toarray") else items.x
        return _reduce(_standardise(np.asarray(table, dtype=np.float64)))
    raise MethodError(
        f"the items are {items.kind}, but a classifier that learns while votes come in needs features or texts: "
        "give features, or the probabilities of another classifier (--machines)"
    )


def unit_scale(x: Array) -> Array:
    """Return features centred over all items, and divided by one number so that the mean squared row length is one.

    One penalty of the weights then suits any features, whatever their number and unit.

    >>> unit_scale(np.array([[1.0, 5.0], [3.0, 5.0]])).tolist()
    [[-1.0, 0.0], [1.0, 0.0]]
    """
    centred = x - x.mean(axis=0)
    mean_square = float(np.square(centred).sum(axis=1).mean())
    return centred / np.sqrt(mean_square) if mean_square > MIN_SQUARE else np.zeros_like(centred)


def _tf_idf(texts: list[str]) -> Any:
    from sklearn.feature_extraction.text import TfidfVectorizer

    min_texts = 2 if len(texts) > TUNING.max_texts_with_rare_words else 1
    try:
        return TfidfVectorizer(sublinear_tf=True, min_df=min_texts, ngram_range=TUNING.word_ngrams).fit_transform(texts)
    except ValueError:
        raise MethodError("no word occurs in two texts, so that nothing can be learnt: give features") from None


def _reduce(table: Any) -> Array:
    """Return the first principal directions of a table that has many columns, and others unchanged."""
    if table.shape[1] <= TUNING.max_columns:
        return np.asarray(table.toarray() if hasattr(table, "toarray") else table, dtype=np.float64)
    from sklearn.decomposition import TruncatedSVD

    size = min(TUNING.max_columns, min(table.shape) - 1)
    columns = TruncatedSVD(size, random_state=0).fit_transform(table)
    return np.asarray(columns / max(float(columns.std()), 1e-12), dtype=np.float64)


def _standardise(table: Array) -> Array:
    spread = table.std(axis=0)
    return (table - table.mean(axis=0)) / np.where(spread > 1e-12, spread, 1.0)
