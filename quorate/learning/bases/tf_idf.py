"""Texts as tf-idf."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from torch import nn

from quorate.data.option_checks import require_numbers
from quorate.errors import MethodError, VotesError
from quorate.learning.bases._layers import Features
from quorate.learning.bases._texts import texts as checked
from quorate.learning.training.rows import Rows, SparseRows


@dataclass(frozen=True, kw_only=True)
class TfIdf:
    """Texts as tf-idf, on which the head puts its linear layer: the network NN1 of the paper on hybrid services.

    x: a list of texts. Words are letters and digits, in lower case; each counts by how often it is in a text
    times log((1 + texts) / (1 + texts with it)) + 1, and every text has length 1 (scikit-learn's TfidfVectorizer).
    min_count: texts that a word must be in. most: how many of the commonest words to keep; None: all.
    ngrams: from so many words in a row to so many. shortest: letters of the shortest word.
    sublinear: n times in a text counts as 1 + log(n). strip_accents: é is e.
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
            raise MethodError(f"ngrams must go from 1 or more up, such as (1, 2), got {self.ngrams}")

    def learn(self, x: Any) -> dict[str, Any]:
        """The words, in the order of their columns, and the weight of each."""
        vectorizer, texts = self._vectorizer(min_df=self.min_count, max_features=self.most), checked(x)
        try:
            vectorizer.fit(texts)
        except ValueError:  # scikit-learn's own words are about its own options
            if self.min_count == 1:
                least = f"{self.shortest} letters or more" if self.shortest > 1 else "one letter or more"
                raise VotesError(f"the texts hold no word of {least}: are they empty?") from None
            raise MethodError(f"no word is in {self.min_count} texts or more: lower min_count") from None
        return {"words": vectorizer.get_feature_names_out().tolist(), "weights": vectorizer.idf_.tolist()}

    def build(self, known: dict[str, Any]) -> nn.Module:
        """The network below the head."""
        return Features(len(known["words"]))

    def rows(self, x: Any, known: dict[str, Any]) -> Rows:
        """Items as the network takes them; a text without a known word is all zeros."""
        vectorizer = self._vectorizer(vocabulary=known["words"])
        vectorizer.idf_ = np.array(known["weights"])
        return SparseRows(vectorizer.transform(checked(x)).astype(np.float32))

    def _vectorizer(self, **how: Any) -> Any:
        from sklearn.feature_extraction.text import TfidfVectorizer

        return TfidfVectorizer(
            ngram_range=self.ngrams,
            token_pattern=rf"(?u)\b\w{{{self.shortest},}}\b",
            sublinear_tf=self.sublinear,
            strip_accents="unicode" if self.strip_accents else None,
            **how,
        )
