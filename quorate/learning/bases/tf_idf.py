"""Texts as tf-idf."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from torch import nn

from quorate.data.option_checks import require_numbers
from quorate.errors import MethodError, VotesError
from quorate.learning.bases._layers import Features
from quorate.learning.bases._texts import check_texts
from quorate.learning.training.rows import Rows, SparseRows


@dataclass(frozen=True, kw_only=True)
class TfIdf:
    """Tf-idf features of texts, under the linear layer of the head: network NN1 of the paper on hybrid services.

    x is a list of texts. Words consist of letters and digits, in lower case. The weight of a word is its count in the
    text times log((1 + texts) / (1 + texts with it)) + 1; rows have unit length (scikit-learn's TfidfVectorizer).

    Args:
        min_count: minimum number of texts a word must occur in.
        most: maximum number of words, the most frequent ones; None keeps all.
        ngrams: minimum and maximum number of consecutive words that form a feature.
        shortest: minimum length of a word, in characters.
        sublinear: whether n occurrences in a text count as 1 + log(n).
        strip_accents: whether accents are removed, as é to e.
    """

    min_count: int = 1
    most: int | None = None
    ngrams: tuple[int, int] = (1, 1)
    shortest: int = 2
    sublinear: bool = False
    strip_accents: bool = False

    def __post_init__(self) -> None:
        require_numbers(self, "min_count", "most", "shortest", at_least=1)
        if not isinstance(self.ngrams, tuple | list) or len(self.ngrams) != 2:
            raise MethodError(f"ngrams must be two numbers, such as (1, 2), got {self.ngrams!r}")
        if not 1 <= self.ngrams[0] <= self.ngrams[1]:
            raise MethodError(f"ngrams must be 1 <= minimum <= maximum, such as (1, 2), got {self.ngrams}")

    def learn(self, x: Any) -> dict[str, Any]:
        """Return the words in column order, and their idf weights."""
        vectorizer, texts = self._vectorizer(min_df=self.min_count, max_features=self.most), check_texts(x)
        try:
            vectorizer.fit(texts)
        except ValueError:  # the message of scikit-learn names its own options
            if self.min_count == 1:
                length = f"{self.shortest} letters or more" if self.shortest > 1 else "one letter or more"
                raise VotesError(f"the texts hold no word of {length}: are they empty?") from None
            raise MethodError(f"no word occurs in {self.min_count} texts or more: lower min_count") from None
        return {"words": vectorizer.get_feature_names_out().tolist(), "weights": vectorizer.idf_.tolist()}

    def build(self, spec: dict[str, Any]) -> nn.Module:
        """Build the network below the head; spec: as returned by `learn`."""
        return Features(len(spec["words"]))

    def rows(self, x: Any, spec: dict[str, Any]) -> Rows:
        """Check texts and return their tf-idf rows; a text without a word of the vocabulary is all zeros."""
        vectorizer = self._vectorizer(vocabulary=spec["words"])
        vectorizer.idf_ = np.array(spec["weights"])
        return SparseRows(vectorizer.transform(check_texts(x)).astype(np.float32))

    def _vectorizer(self, **options: Any) -> Any:
        from sklearn.feature_extraction.text import TfidfVectorizer

        return TfidfVectorizer(
            ngram_range=self.ngrams,
            token_pattern=rf"(?u)\b\w{{{self.shortest},}}\b",
            sublinear_tf=self.sublinear,
            strip_accents="unicode" if self.strip_accents else None,
            **options,
        )
