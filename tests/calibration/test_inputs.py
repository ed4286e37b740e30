"""What calibrators are given is checked, and what is wrong is said in one line."""

from typing import Any

import numpy as np
import pytest

from quorate.calibration.inputs import checked_probs, fit_inputs
from quorate.calibration.temperature import Temperature
from quorate.errors import QuorateError

GOOD = [[0.9, 0.1], [0.2, 0.8]]


@pytest.mark.parametrize(
    ("probs", "targets", "message"),
    [
        ([["a", "b"]], [0], "probabilities must be numbers"),
        ([0.5, 0.5], [0], r"a row per task and a column per class, got shape \(2,\)"),
        ([[1.0]], [0], r"got shape \(1, 1\)"),
        ([[0.9, 0.1], [np.nan, 1.0]], [0, 1], r"probabilities, row 2: \[nan, 1\], sum nan"),
        ([[0.9, 0.1], [0.9, 0.2]], [0, 1], r"row 2: \[0.9, 0.2\], sum 1.1, but entries must be zero or more"),
        ([[3.0, -2.0]], [0], "apply a softmax to scores"),
        (GOOD, [0, 1, 1], r"targets must be gold, 2 class indices .* got int64 of shape \(3,\)"),
        (GOOD, [0.0, 1.0], "got float64"),
        (GOOD, [[1.0, 0.0]], r"or likelihoods of shape \(2, 2\)"),
        (GOOD, [[1.0, 0.0], [1.0]], r"or likelihoods of shape \(2, 2\)"),
        (GOOD, ["a", "b"], "got <U1"),
        (GOOD, [0, 2], "gold of row 2 is 2: use -1 or 0 to 1"),
        (GOOD, [[1.0, 0.0], [0.0, 0.0]], r"likelihoods of row 2 are \[0.0, 0.0\]"),
        (GOOD, [[1.0, np.inf], [0.0, 1.0]], "likelihoods of row 1"),
        (GOOD, [-1, -1], "no item has a target: give gold of some, or votes on some"),
        (GOOD, [[1.0, 1.0], [3.0, 3.0]], "no item has a target"),
        (GOOD, [1, 1], "all targets are of class 1: a calibrator needs items of two classes at least"),
    ],
)
def test_errors_are_one_line(probs: Any, targets: Any, message: str) -> None:
    with pytest.raises(QuorateError, match=message) as error:
        Temperature().fit(probs, targets)
    assert "\n" not in str(error.value)


def test_rows_that_nearly_sum_to_one_are_made_to() -> None:
    assert checked_probs([[0.6, 0.405]]).sum() == pytest.approx(1)
    assert checked_probs(np.array([[0.25, 0.75]], dtype=np.float32)).dtype == np.float64


def test_likelihoods_count_up_to_a_factor() -> None:
    rows, likelihood = fit_inputs([*GOOD, [0.5, 0.5]], [[2, 4], [9, 3], [5, 5]])
    assert likelihood == pytest.approx(np.array([[0.5, 1], [1, 1 / 3]]))
    assert len(rows) == 2


def test_a_very_small_likelihood_is_no_zero() -> None:
    result = Temperature().fit(GOOD, [[1e-200, 1e-250], [1e-300, 1.0]])
    assert np.isfinite(result.temperature_)
