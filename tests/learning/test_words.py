import numpy as np
import pytest

from quorate.errors import MethodError
from quorate.learning.tuning import TUNING
from quorate.learning.words import WordFeatures

TEXTS = ["a fine film", "fine books", "very fine", "a dull film", "dull books", "very dull"]


def test_few_words_are_columns_themselves() -> None:
    from sklearn.feature_extraction.text import TfidfVectorizer

    expected = TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 2)).fit_transform(TEXTS).toarray()
    np.testing.assert_allclose(WordFeatures.fit(TEXTS).transform(TEXTS), expected)


def test_many_words_become_few_columns() -> None:
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice([f"w{number}" for number in range(400)], 30)) for _ in range(300)]
    words = WordFeatures.fit(texts)
    seen = words.transform(texts)
    assert seen.shape == (300, TUNING.max_columns)
    np.testing.assert_allclose(words.transform(texts[4:6]), seen[4:6])
    assert np.array_equal(words.transform(["", "unheard"]), np.zeros((2, TUNING.max_columns)))


def test_texts_without_a_common_word_are_refused() -> None:
    with pytest.raises(MethodError, match="nothing can be learnt"):
        WordFeatures.fit([f"w{row}" for row in range(60)])
