"""Platt against scikit-learn's logistic regression, and worked out by hand."""

import numpy as np
import pytest

from quorate.calibration.platt import Platt
from tests.calibration.logistic import peer, two


def test_worked_out_by_hand() -> None:
    """Log-odds +-log 4; right 3 of 4 where the second is named, 9 of 10 where the first is: two points."""
    probs = [[0.2, 0.8]] * 4 + [[0.8, 0.2]] * 10
    result = Platt(deviation=np.inf).fit(probs, [1, 1, 1, 0] + [0] * 9 + [1])
    assert result.transform(probs)[[0, 4], 1] == pytest.approx([3 / 4, 1 / 10], abs=1e-4)
    assert result.slope_ == pytest.approx((np.log(3) + np.log(9)) / (2 * np.log(4)), abs=1e-3)


def test_is_logistic_regression_on_log_odds() -> None:
    probs, gold = two()
    odds = np.log(probs[:, 1] / probs[:, 0])[:, None]
    result, reference = Platt(deviation=np.inf).fit(probs, gold), peer(odds, gold)
    assert result.slope_ == pytest.approx(reference.coef_[0, 0], abs=1e-3)
    assert result.offset_ == pytest.approx(reference.intercept_[0], abs=1e-3)


def test_the_prior_is_a_ridge_around_no_change() -> None:
    free, held = (Platt(deviation=deviation).fit(*two()) for deviation in (np.inf, 0.05))
    assert abs(held.offset_) < abs(free.offset_)
    assert abs(held.slope_ - 1) < abs(free.slope_ - 1)
