import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression

from quorate.calibration.isotonic import Isotonic, fit_monotone
from tests.calibration.noisy import off_by


def test_worked_out_by_hand() -> None:
    """.1 is of the class, .2 is not: they share 1/2; the edges stay 1/8 away from 0 and 1."""
    places, heights = fit_monotone(np.array([0.3, 0.1, 0.2, 0.4]), np.array([1.0, 1.0, 0.0, 1.0]))
    assert places.tolist() == [0.1, 0.2, 0.3, 0.4]
    assert heights.tolist() == [0.5, 0.5, 0.875, 0.875]


@given(st.lists(st.tuples(st.integers(0, 8), st.floats(0, 1)), min_size=1, max_size=40))
def test_as_scikit_learn_has_it(pairs: list[tuple[int, float]]) -> None:
    probs, true = np.array([probs / 8 for probs, _ in pairs]), np.array([true for _, true in pairs])
    edge = 0.5 / len(pairs)
    peer = IsotonicRegression(y_min=edge, y_max=1 - edge, out_of_bounds="clip").fit(probs, true)
    asked = np.linspace(0, 1, 33)
    assert np.interp(asked, *fit_monotone(probs, true)) == pytest.approx(peer.predict(asked), abs=1e-9)


def test_of_two_classes_as_scikit_learn_has_it() -> None:
    """The maps of both classes mirror each other, so nothing is left to make them sum to one."""
    probs, gold = off_by(3.0, n_classes=2)
    edge = 0.5 / len(gold)
    peer = IsotonicRegression(y_min=edge, y_max=1 - edge).fit(probs[:, 1], gold)
    assert Isotonic().fit(probs, gold).transform(probs)[:, 1] == pytest.approx(peer.predict(probs[:, 1]), abs=1e-9)


def test_gold_takes_a_single_round(monkeypatch: pytest.MonkeyPatch) -> None:
    probs, gold = off_by(3.0)
    whole = Isotonic().fit(probs, gold).transform(probs)
    monkeypatch.setattr("quorate.calibration._soft_em.MAX_ROUNDS", 1)
    assert np.array_equal(Isotonic().fit(probs, gold).transform(probs), whole)


def test_votes_make_the_map_step_by_step() -> None:
    """Ten votes for, ten against, by workers who are right nine times of ten, where .9 was said: it should be .5."""
    probs = np.array([[0.1, 0.9]] * 20)
    likelihood = np.array([[0.1, 0.9]] * 10 + [[0.9, 0.1]] * 10)
    assert Isotonic().fit(probs, likelihood).transform(probs[:1])[0] == pytest.approx([0.5, 0.5], abs=1e-3)
