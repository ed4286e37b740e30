"""Dirichlet against scikit-learn's logistic regression, and worked out by hand."""

import numpy as np
import pytest

from quorate.calibration.dirichlet import Dirichlet
from quorate.errors import MethodError
from tests.calibration.logistic import peer
from tests.calibration.noisy import off_by


def test_without_penalty_is_softmax_regression_on_logarithms() -> None:
    probs, gold = off_by(2.0, n_items=800)
    reference = peer(np.log(probs), gold)
    result = Dirichlet(off_diagonal=0, offset=0).fit(probs, gold)
    assert result.transform(probs) == pytest.approx(reference.predict_proba(np.log(probs)), abs=2e-3)


def test_penalty_worked_out_by_hand() -> None:
    """W = [[2, 3], [4, 5]], b = [6, 7]: 1 * (9 + 16) / 2 + 10 * (36 + 49) / 2."""
    value, gradient = Dirichlet(off_diagonal=1, offset=10)._penalty(np.array([2.0, 3, 4, 5, 6, 7]))
    assert value == pytest.approx(437.5)
    assert gradient.tolist() == [0, 3, 4, 0, 60, 70]


def test_a_large_penalty_leaves_the_diagonal() -> None:
    result = Dirichlet(off_diagonal=1e6, offset=1e6).fit(*off_by(2.0))
    assert np.abs(result.weights_ - np.diag(np.diag(result.weights_))).max() < 1e-3
    assert np.diag(result.weights_) == pytest.approx([0.5] * 3, abs=0.15)


def test_penalties_are_zero_or_more() -> None:
    with pytest.raises(MethodError, match="off_diagonal must be zero or more, got -1"):
        Dirichlet(off_diagonal=-1)
