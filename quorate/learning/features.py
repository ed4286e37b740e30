"""What a simple classifier sees of each item: columns of numbers, alike in scale, made without any label."""

from typing import Any

import numpy as np

from quorate.errors import MethodError
from quorate.io.items import Items
from quorate.learning.tuning import TUNING
from quorate.typing import Array


def seen_of(items: Items) -> Array:
    """Features or texts as a table of items x columns for softmax regression, such as Taught.

    Many columns are narrowed to the directions in which the items differ most. Texts become such directions of their
    words' tf-idf; of a pair, of the words of both.

    >>> seen_of(Items(tasks=np.array(["a", "b"]), kind="features", x=np.array([[1.0, 5.0], [3.0, 5.0]]))).tolist()
    [[-1.0, 0.0], [1.0, 0.0]]
    """
    if items.kind in ("texts", "pairs"):
        texts = [text if isinstance(text, str) else " ".join(text) for text in items.x]
        return _narrowed(_words(texts))
    if items.kind == "features" and items.x.ndim == 2:
        table = items.x.toarray() if hasattr(items.x, "toarray") else items.x
        return _narrowed(_standard(np.asarray(table, dtype=np.float64)))
    raise MethodError(
        f"the items are {items.kind}, and a classifier that is taught again and again takes features or texts: "
        "give features, or what another classifier says (--probs)"
    )


def _words(texts: list[str]) -> Any:
    from sklearn.feature_extraction.text import TfidfVectorizer

    least = 2 if len(texts) > TUNING.max_texts_with_rare_words else 1
    try:
        return TfidfVectorizer(sublinear_tf=True, min_df=least, ngram_range=TUNING.word_ngrams).fit_transform(texts)
    except ValueError:
        raise MethodError("no word is in two texts: there is nothing to learn from them") from None


def _narrowed(table: Any) -> Array:
    """The first principal directions, of a table that has many columns."""
    if table.shape[1] <= TUNING.max_columns:
        return np.asarray(table.toarray() if hasattr(table, "toarray") else table, dtype=np.float64)
    from sklearn.decomposition import TruncatedSVD

    size = min(TUNING.max_columns, min(table.shape) - 1)
    columns = TruncatedSVD(size, random_state=0).fit_transform(table)
    return np.asarray(columns / max(float(columns.std()), 1e-12), dtype=np.float64)


def _standard(table: Array) -> Array:
    spread = table.std(axis=0)
    return (table - table.mean(axis=0)) / np.where(spread > 1e-12, spread, 1.0)
