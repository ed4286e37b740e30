import numpy as np

from quorate.learning.encoders.terms import N_HASHES, overlaps, term_weights

TEXTS = ["The film was fine, fine!", "fine film", "a dull book", ""]


def test_overlaps_are_those_of_scikit_learn() -> None:
    from sklearn.feature_extraction.text import TfidfVectorizer

    pairs = [(first, second) for first in TEXTS for second in TEXTS]
    for kind, options in (
        ("words", {"token_pattern": r"(?u)\w+"}),
        ("letters", {"analyzer": "char_wb", "ngram_range": (3, 4)}),
    ):
        vectorizer = TfidfVectorizer(sublinear_tf=True, **options).fit(TEXTS)
        first, second = (vectorizer.transform([pair[side] for pair in pairs]).toarray() for side in (0, 1))
        cosine, share = overlaps(pairs, kind, term_weights(TEXTS, kind))
        np.testing.assert_allclose(cosine, (first * second).sum(axis=1), atol=1e-9)
        both, either = ((first > 0) & (second > 0)).sum(axis=1), ((first > 0) | (second > 0)).sum(axis=1)
        np.testing.assert_allclose(share, both / np.maximum(either, 1))


def test_rare_terms_weigh_more() -> None:
    weights = term_weights(TEXTS, "words")
    assert weights.shape == (N_HASHES,)
    (cosine, _), (plain, _) = (overlaps([(TEXTS[0], TEXTS[1])], "words", w) for w in (weights, np.ones(N_HASHES)))
    assert cosine < plain  # "the" and "was", which only the first text has, are rarer than "fine" and "film"
