"""Beta against scikit-learn's logistic regression, and worked out by hand."""

import numpy as np
import pytest

from quorate.calibration.beta import Beta
from tests.calibration.logistic import peer, two


def test_worked_out_by_hand() -> None:
    """Three probabilities, three parameters: every one is met."""
    said = [[0.2, 0.8]] * 5 + [[0.8, 0.2]] * 10 + [[0.5, 0.5]] * 2
    found = Beta(deviation=np.inf).fit(said, [1, 1, 1, 1, 0] + [0] * 9 + [1] + [0, 1])
    assert found.transform(said)[[0, 5, 15], 1] == pytest.approx([4 / 5, 1 / 10, 1 / 2], abs=1e-3)


def test_is_logistic_regression_on_both_logarithms() -> None:
    said, gold = two()
    known = peer(np.column_stack([np.log(said[:, 1]), -np.log(said[:, 0])]), gold)
    found = Beta(deviation=np.inf).fit(said, gold)
    assert known.coef_.min() > 0
    assert [found.up_, found.down_] == pytest.approx(known.coef_[0].tolist(), abs=2e-3)


def test_never_falls() -> None:
    """Against the truth: the best line would fall, so it is flat."""
    found = Beta(deviation=np.inf).fit([[0.8, 0.2], [0.2, 0.8]] * 5, [1, 0] * 5)
    assert found.up_ == found.down_ == 0
    assert found.transform([[0.9, 0.1]])[0] == pytest.approx([0.5, 0.5], abs=1e-4)
