"""Vector against scikit-learn's logistic regression, and worked out by hand."""

import numpy as np
import pytest

from quorate.calibration.vector import Vector
from quorate.errors import VotesError
from quorate.inference.kernels import softmax_rows
from tests.calibration.logistic import peer, two
from tests.calibration.noisy import off_by


def test_worked_out_by_hand() -> None:
    """Nothing but the second class's offset is off: shares 1/2, 1/2 of items said to be .2, .8."""
    result = Vector(deviation=np.inf).fit([[0.2, 0.8]] * 4, [0, 0, 1, 1])
    assert result.transform([[0.2, 0.8]])[0] == pytest.approx([0.5, 0.5], abs=1e-4)


def test_of_two_classes_is_logistic_regression_on_both_logarithms() -> None:
    probs, gold = two()
    reference = peer(np.log(probs), gold)
    result = Vector(deviation=np.inf).fit(probs, gold)
    assert result.transform(probs) == pytest.approx(reference.predict_proba(np.log(probs)), abs=1e-4)


def test_mends_a_class_that_is_named_too_often() -> None:
    probs, gold = off_by(1.0, n_items=2000)
    scores = np.log(probs) + np.array([0, 0, 1.0])
    softmax_rows(scores)
    result = Vector().fit(scores, gold)
    assert result.offsets_[2] - result.offsets_[:2].mean() == pytest.approx(-1, abs=0.25)
    assert result.transform(scores).mean(axis=0) == pytest.approx(np.bincount(gold) / len(gold), abs=0.01)


def test_knows_how_many_classes_it_was_fitted_to() -> None:
    with pytest.raises(VotesError, match="Vector was fitted to 2 classes, but the probabilities have 3"):
        Vector().fit(*two()).transform([[0.2, 0.3, 0.5]])


def test_a_classifier_that_is_hardly_sure_of_anything_is_brought_back() -> None:
    """Log-odds a tenth of what they should be: weights near ten, though the prior is narrow."""
    random = np.random.default_rng(0)
    odds = 2 * random.normal(size=1000)
    gold = (random.random(1000) < 1 / (1 + np.exp(-odds))).astype(int)
    weak = 1 / (1 + np.exp(-odds / 10))
    calibrator = Vector().fit(np.column_stack([1 - weak, weak]), gold)
    assert calibrator.weights_ == pytest.approx([10, 10], rel=0.35)
