"""Words of texts as a few columns: tf-idf of words and pairs of words, reduced to its principal directions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from quorate.errors import MethodError
from quorate.learning.tuning import TUNING
from quorate.typing import Array


@dataclass(frozen=True, eq=False)
class WordFeatures:
    """Latent semantic analysis of texts, where no encoder is installed.

    Attributes:
        vectorizer: scikit-learn's TfidfVectorizer, fitted to a pool.
        reduction: its TruncatedSVD, fitted to the same pool; None where there are few words.
    """

    vectorizer: Any
    reduction: Any

    @classmethod
    def fit(cls, texts: Sequence[str]) -> Self:
        """Return the words and directions of a pool of texts."""
        from sklearn.decomposition import TruncatedSVD
        from sklearn.feature_extraction.text import TfidfVectorizer

        min_texts = 2 if len(texts) > TUNING.max_texts_with_rare_words else 1
        vectorizer = TfidfVectorizer(sublinear_tf=True, min_df=min_texts, ngram_range=TUNING.word_ngrams)
        try:
            table = vectorizer.fit_transform(texts)
        except ValueError:
            raise MethodError("no word occurs in two texts, so that nothing can be learnt: give features") from None
        if table.shape[1] <= TUNING.max_columns:
            return cls(vectorizer, None)
        size = min(TUNING.max_columns, min(table.shape) - 1)
        return cls(vectorizer, TruncatedSVD(size, random_state=0).fit(table))

    def transform(self, texts: Sequence[str]) -> Array:
        """Return the columns of texts: (n_texts, n_columns)."""
        table = self.vectorizer.transform(texts)
        return np.asarray(table.toarray() if self.reduction is None else self.reduction.transform(table))
