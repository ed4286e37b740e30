"""Platt, beta, vector and Dirichlet against scikit-learn's logistic regression, and worked out by hand."""

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from quorate.calibration.beta import Beta
from quorate.calibration.dirichlet import Dirichlet
from quorate.calibration.platt import Platt
from quorate.calibration.vector import Vector
from quorate.errors import MethodError, VotesError
from quorate.inference.kernels import softmax_rows
from quorate.typing import Array
from tests.calibration.noisy import off_by


def peer(features: Array, gold: NDArray[np.int64]) -> LogisticRegression:
    return LogisticRegression(C=np.inf, tol=1e-9, max_iter=10_000).fit(features, gold)


def two() -> tuple[Array, NDArray[np.int64]]:
    """Two classes; the second is named too often."""
    said, gold = off_by(2.0, n_classes=2)
    scores = np.log(said) + np.array([0, 0.7])
    softmax_rows(scores)
    return scores, gold


class TestPlatt:
    def test_worked_out_by_hand(self) -> None:
        """Log-odds +-log 4; right 3 of 4 where the second is named, 9 of 10 where the first is: two points."""
        said = [[0.2, 0.8]] * 4 + [[0.8, 0.2]] * 10
        found = Platt(deviation=np.inf).fit(said, [1, 1, 1, 0] + [0] * 9 + [1])
        assert found.transform(said)[[0, 4], 1] == pytest.approx([3 / 4, 1 / 10], abs=1e-4)
        assert found.slope_ == pytest.approx((np.log(3) + np.log(9)) / (2 * np.log(4)), abs=1e-3)

    def test_is_logistic_regression_on_log_odds(self) -> None:
        said, gold = two()
        odds = np.log(said[:, 1] / said[:, 0])[:, None]
        found, known = Platt(deviation=np.inf).fit(said, gold), peer(odds, gold)
        assert found.slope_ == pytest.approx(known.coef_[0, 0], abs=1e-3)
        assert found.offset_ == pytest.approx(known.intercept_[0], abs=1e-3)

    def test_the_prior_is_a_ridge_around_no_change(self) -> None:
        free, held = (Platt(deviation=deviation).fit(*two()) for deviation in (np.inf, 0.05))
        assert abs(held.offset_) < abs(free.offset_)
        assert abs(held.slope_ - 1) < abs(free.slope_ - 1)


class TestBeta:
    def test_worked_out_by_hand(self) -> None:
        """Three probabilities, three parameters: every one is met."""
        said = [[0.2, 0.8]] * 5 + [[0.8, 0.2]] * 10 + [[0.5, 0.5]] * 2
        found = Beta(deviation=np.inf).fit(said, [1, 1, 1, 1, 0] + [0] * 9 + [1] + [0, 1])
        assert found.transform(said)[[0, 5, 15], 1] == pytest.approx([4 / 5, 1 / 10, 1 / 2], abs=1e-3)

    def test_is_logistic_regression_on_both_logarithms(self) -> None:
        said, gold = two()
        known = peer(np.column_stack([np.log(said[:, 1]), -np.log(said[:, 0])]), gold)
        found = Beta(deviation=np.inf).fit(said, gold)
        assert known.coef_.min() > 0
        assert [found.up_, found.down_] == pytest.approx(known.coef_[0].tolist(), abs=2e-3)

    def test_never_falls(self) -> None:
        """Against the truth: the best line would fall, so it is flat."""
        found = Beta(deviation=np.inf).fit([[0.8, 0.2], [0.2, 0.8]] * 5, [1, 0] * 5)
        assert found.up_ == found.down_ == 0
        assert found.transform([[0.9, 0.1]])[0] == pytest.approx([0.5, 0.5], abs=1e-4)


@pytest.mark.parametrize("calibrator", [Platt(), Beta()])
def test_two_classes_only(calibrator: Platt | Beta) -> None:
    said, gold = off_by(2.0)
    with pytest.raises(MethodError, match="is for two classes, got 3: use temperature, vector or isotonic"):
        calibrator.fit(said, gold)


class TestVector:
    def test_worked_out_by_hand(self) -> None:
        """Nothing but the second class's offset is off: shares 1/2, 1/2 of items said to be .2, .8."""
        found = Vector(deviation=np.inf).fit([[0.2, 0.8]] * 4, [0, 0, 1, 1])
        assert found.transform([[0.2, 0.8]])[0] == pytest.approx([0.5, 0.5], abs=1e-4)

    def test_of_two_classes_is_logistic_regression_on_both_logarithms(self) -> None:
        said, gold = two()
        known = peer(np.log(said), gold)
        found = Vector(deviation=np.inf).fit(said, gold)
        assert found.transform(said) == pytest.approx(known.predict_proba(np.log(said)), abs=1e-4)

    def test_mends_a_class_that_is_named_too_often(self) -> None:
        said, gold = off_by(1.0, n_items=2000)
        scores = np.log(said) + np.array([0, 0, 1.0])
        softmax_rows(scores)
        found = Vector().fit(scores, gold)
        assert found.offsets_[2] - found.offsets_[:2].mean() == pytest.approx(-1, abs=0.25)
        assert found.transform(scores).mean(axis=0) == pytest.approx(np.bincount(gold) / len(gold), abs=0.01)

    def test_knows_how_many_classes_it_was_fitted_to(self) -> None:
        with pytest.raises(VotesError, match="Vector was fitted to 2 classes, but the probabilities have 3"):
            Vector().fit(*two()).transform([[0.2, 0.3, 0.5]])


class TestDirichlet:
    def test_without_penalty_is_softmax_regression_on_logarithms(self) -> None:
        said, gold = off_by(2.0, n_items=800)
        known = peer(np.log(said), gold)
        found = Dirichlet(off_diagonal=0, offset=0).fit(said, gold)
        assert found.transform(said) == pytest.approx(known.predict_proba(np.log(said)), abs=2e-3)

    def test_penalty_worked_out_by_hand(self) -> None:
        """W = [[2, 3], [4, 5]], b = [6, 7]: 1 * (9 + 16) / 2 + 10 * (36 + 49) / 2."""
        value, gradient = Dirichlet(off_diagonal=1, offset=10)._penalty(np.array([2.0, 3, 4, 5, 6, 7]))
        assert value == pytest.approx(437.5)
        assert gradient.tolist() == [0, 3, 4, 0, 60, 70]

    def test_a_large_penalty_leaves_the_diagonal(self) -> None:
        found = Dirichlet(off_diagonal=1e6, offset=1e6).fit(*off_by(2.0))
        assert np.abs(found.weights_ - np.diag(np.diag(found.weights_))).max() < 1e-3
        assert np.diag(found.weights_) == pytest.approx([0.5] * 3, abs=0.15)

    def test_penalties_are_zero_or_more(self) -> None:
        with pytest.raises(MethodError, match="off_diagonal must be zero or more, got -1"):
            Dirichlet(off_diagonal=-1)


def test_a_classifier_that_is_hardly_sure_of_anything_is_brought_back() -> None:
    """Log-odds a tenth of what they should be: weights near ten, though the prior is narrow."""
    random = np.random.default_rng(0)
    odds = 2 * random.normal(size=1000)
    gold = (random.random(1000) < 1 / (1 + np.exp(-odds))).astype(int)
    weak = 1 / (1 + np.exp(-odds / 10))
    calibrator = Vector().fit(np.column_stack([1 - weak, weak]), gold)
    assert calibrator.weights_ == pytest.approx([10, 10], rel=0.35)
