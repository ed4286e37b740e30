import numpy as np
import pytest

from quorate.errors import MethodError
from quorate.simulation.drawn_abstracts import CRITERIA, SHARES, abstracts


def test_the_same_seed_gives_the_same_texts() -> None:
    first, again, other = (abstracts(50, seed=seed) for seed in (1, 1, 2))
    assert first.texts == again.texts
    assert first.texts != other.texts
    assert len(set(first.keys)) == 50


def test_each_text_tells_what_holds_of_it() -> None:
    made = abstracts(300, seed=3)
    for place, wordings in enumerate(CRITERIA.values()):
        for held in (True, False):
            whole = [sentence for sentence in wordings[held] if "{" not in sentence]
            told = np.array([any(sentence in text for sentence in whole) for text in made.texts])
            assert told.sum() > 30
            assert np.all(made.holds[told, place] == held)
    assert not any("{" in text for text in made.texts)


def test_criteria_hold_as_often_as_they_should() -> None:
    made = abstracts(4000, seed=4)
    assert np.allclose(made.holds.mean(axis=0), SHARES, atol=0.03)
    assert abs(made.included.mean() - np.prod(SHARES)) < 0.03


def test_a_bag_of_words_learns_each_criterion() -> None:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression

    made = abstracts(600, seed=5)
    x = TfidfVectorizer().fit_transform(made.texts)
    for held in made.holds.T:
        learnt = LogisticRegression(C=10).fit(x[:400], held[:400])
        assert learnt.score(x[400:], held[400:]) > 0.9


def test_no_texts_are_refused() -> None:
    with pytest.raises(MethodError, match="n must be at least 1, got 0"):
        abstracts(0)
