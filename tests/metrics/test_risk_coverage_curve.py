"""Risk against coverage, by hand and against every order of ties."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings

from quorate.metrics import accuracy, area_under_risk_coverage, excess_area_under_risk_coverage, risk_coverage
from tests.metrics.cases import Case, cases


def sure(confidence: list[float], right: list[bool]) -> Case:
    """Return predictions of two classes, the first with this confidence, and gold that makes it right or wrong."""
    column = np.array(confidence)
    return np.column_stack([column, 1 - column]), np.where(right, 0, 1)


def test_the_curve_by_hand() -> None:
    coverage, risk = risk_coverage(*sure([0.6, 0.9, 0.8, 0.7], [False, True, False, True]))
    np.testing.assert_allclose(coverage, [0.25, 0.5, 0.75, 1])
    np.testing.assert_allclose(risk, [0, 1 / 2, 1 / 3, 2 / 4])


def test_ties_are_the_mean_over_their_orders() -> None:
    wrong = np.array([0.0, 1, 0, 1])  # of which the second to fourth are equally sure
    orders = [[0, *rest] for rest in permutations([1, 2, 3])]
    expected = np.mean([np.cumsum(wrong[order]) / np.arange(1, 5) for order in orders], axis=0)
    _, risk = risk_coverage(*sure([0.9, 0.7, 0.7, 0.7], [True, False, True, False]))
    np.testing.assert_allclose(risk, expected)


def test_classes_that_tie_count_at_their_expectation() -> None:
    probs = np.array([[0.4, 0.4, 0.2], [0.9, 0.1, 0.0]])
    _, risk = risk_coverage(probs, np.array([1, 0]))
    np.testing.assert_allclose(risk, [0, 0.5 / 2])
    assert accuracy(probs, np.array([1, 0])) == 0.75


def test_areas_by_hand() -> None:
    case = sure([0.6, 0.9, 0.8, 0.7], [False, True, False, True])
    area = (0 + 1 / 2 + 1 / 3 + 2 / 4) / 4
    assert area_under_risk_coverage(*case) == pytest.approx(area)
    assert excess_area_under_risk_coverage(*case) == pytest.approx(area - (0 + 0 + 1 / 3 + 2 / 4) / 4)


def test_perfect_and_worst_rankings() -> None:
    confidence = np.linspace(0.9, 0.6, 10).tolist()
    best, worst = sure(confidence, [True] * 7 + [False] * 3), sure(confidence, [False] * 3 + [True] * 7)
    assert excess_area_under_risk_coverage(*best) == 0
    assert area_under_risk_coverage(*best) == pytest.approx((1 / 8 + 2 / 9 + 3 / 10) / 10)
    assert area_under_risk_coverage(*worst) == pytest.approx((3 + sum(3 / k for k in range(4, 11))) / 10)
    assert area_under_risk_coverage(*sure(confidence, [True] * 10)) == 0


def test_without_gold_there_is_no_curve() -> None:
    coverage, risk = risk_coverage(np.full((2, 2), 0.5), np.array([-1, -1]))
    assert coverage.shape == risk.shape == (0,)
    for area in (area_under_risk_coverage, excess_area_under_risk_coverage):
        assert np.isnan(area(np.full((2, 2), 0.5), np.array([-1, -1])))


@settings(deadline=None)
@given(cases())
def test_what_always_holds(case: Case) -> None:
    probs, gold = case
    coverage, risk = risk_coverage(probs, gold)
    order = np.random.default_rng(0).permutation(len(gold))
    np.testing.assert_allclose(risk, risk_coverage(probs[order], gold[order])[1], atol=1e-12)
    np.testing.assert_allclose(risk, risk_coverage(probs[gold >= 0], gold[gold >= 0])[1], atol=1e-12)
    assert len(coverage) == len(risk) == (gold >= 0).sum()
    assert ((risk >= 0) & (risk <= 1 + 1e-12)).all()
    if len(risk):
        assert coverage[-1] == 1
        assert risk[-1] == pytest.approx(1 - accuracy(probs, gold))
        excess = excess_area_under_risk_coverage(probs, gold)
        assert 0 <= excess <= area_under_risk_coverage(probs, gold) <= 1
