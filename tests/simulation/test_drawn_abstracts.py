import numpy as np
import pytest

from quorate.errors import MethodError
from quorate.simulation.drawn_abstracts import CRITERIA, SHARES, abstracts


def test_the_same_seed_gives_the_same_texts() -> None:
    first, again, other = (abstracts(50, seed=seed) for seed in (1, 1, 2))
    assert first.texts == again.texts
    assert first.texts != other.texts
    assert len(set(first.keys)) == 50


def test_each_text_states_its_criteria() -> None:
    drawn = abstracts(300, seed=3)
    for column, wordings in enumerate(CRITERIA.values()):
        for held in (True, False):
            whole = [sentence for sentence in wordings[held] if "{" not in sentence]
            contains = np.array([any(sentence in text for sentence in whole) for text in drawn.texts])
            assert contains.sum() > 30
            assert np.all(drawn.holds[contains, column] == held)
    assert not any("{" in text for text in drawn.texts)


def test_criteria_are_met_with_their_probabilities() -> None:
    drawn = abstracts(4000, seed=4)
    assert np.allclose(drawn.holds.mean(axis=0), SHARES, atol=0.03)
    assert abs(drawn.included.mean() - np.prod(SHARES)) < 0.03


def test_a_bag_of_words_learns_each_criterion() -> None:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression

    drawn = abstracts(600, seed=5)
    x = TfidfVectorizer().fit_transform(drawn.texts)
    for held in drawn.holds.T:
        learnt = LogisticRegression(C=10).fit(x[:400], held[:400])
        assert learnt.score(x[400:], held[400:]) > 0.9


def test_zero_texts_are_rejected() -> None:
    with pytest.raises(MethodError, match="n must be at least 1, got 0"):
        abstracts(0)
