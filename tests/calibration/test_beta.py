"""Beta against scikit-learn's logistic regression, and worked out by hand."""

import numpy as np
import pytest

from quorate.calibration.beta import Beta
from tests.calibration.logistic import peer, two


def test_worked_out_by_hand() -> None:
    """Three probabilities, three parameters: every one is met."""
    probs = [[0.2, 0.8]] * 5 + [[0.8, 0.2]] * 10 + [[0.5, 0.5]] * 2
    result = Beta(deviation=np.inf).fit(probs, [1, 1, 1, 1, 0] + [0] * 9 + [1] + [0, 1])
    assert result.transform(probs)[[0, 5, 15], 1] == pytest.approx([4 / 5, 1 / 10, 1 / 2], abs=1e-3)


def test_is_logistic_regression_on_both_logarithms() -> None:
    probs, gold = two()
    reference = peer(np.column_stack([np.log(probs[:, 1]), -np.log(probs[:, 0])]), gold)
    result = Beta(deviation=np.inf).fit(probs, gold)
    assert reference.coef_.min() > 0
    assert [result.up_, result.down_] == pytest.approx(reference.coef_[0].tolist(), abs=2e-3)


def test_never_falls() -> None:
    """Against the truth: the best line would fall, so it is flat."""
    result = Beta(deviation=np.inf).fit([[0.8, 0.2], [0.2, 0.8]] * 5, [1, 0] * 5)
    assert result.up_ == result.down_ == 0
    assert result.transform([[0.9, 0.1]])[0] == pytest.approx([0.5, 0.5], abs=1e-4)
