"""Calibration errors: by hand, against torchmetrics' definition written out, and by what must always hold."""

import numpy as np
import pytest
from hypothesis import given, settings

from quorate.metrics import (
    adaptive_calibration_error,
    classwise_calibration_error,
    debiased_calibration_error,
    expected_calibration_error,
    maximum_calibration_error,
    root_mean_square_calibration_error,
    sigmoid_reading,
)
from tests.metrics.cases import Case, cases

ERRORS = (
    adaptive_calibration_error,
    classwise_calibration_error,
    debiased_calibration_error,
    expected_calibration_error,
    maximum_calibration_error,
    root_mean_square_calibration_error,
)
# Two bins of two: .9 is right half of the time, .6 always: both are .4 off.
PROBS = np.array([[0.9, 0.1], [0.9, 0.1], [0.6, 0.4], [0.6, 0.4]])
GOLD = np.array([0, 1, 0, 0])


def torchmetrics(probs: np.ndarray, gold: np.ndarray, bins: int) -> tuple[float, float, float]:
    """MulticlassCalibrationError with norm l1, l2 and max, item by item."""
    gaps, shares = [], []
    for b in range(bins):
        inside = [i for i in range(len(gold)) if b <= probs[i].max() * bins < b + 1]
        if inside:
            confidence = sum(probs[i].max() for i in inside) / len(inside)
            accuracy = sum(int(probs[i].argmax()) == gold[i] for i in inside) / len(inside)
            gaps.append(abs(confidence - accuracy))
            shares.append(len(inside) / len(gold))
    l1 = sum(gap * share for gap, share in zip(gaps, shares, strict=True))
    l2 = sum(gap**2 * share for gap, share in zip(gaps, shares, strict=True)) ** 0.5
    return l1, l2, max(gaps)


@pytest.mark.parametrize("bins", [10, 15])
@pytest.mark.parametrize("seed", range(4))
def test_as_torchmetrics_defines_them(seed: int, bins: int) -> None:
    random = np.random.default_rng(seed)
    probs, gold = random.dirichlet(np.full(3, 0.7), size=80), random.integers(0, 3, size=80)
    mean, root, largest = torchmetrics(probs, gold, bins)
    assert expected_calibration_error(probs, gold, bins=bins) == pytest.approx(mean)
    assert root_mean_square_calibration_error(probs, gold, bins=bins) == pytest.approx(root)
    assert maximum_calibration_error(probs, gold, bins=bins) == pytest.approx(largest)


def test_by_hand() -> None:
    for error in (expected_calibration_error, maximum_calibration_error, root_mean_square_calibration_error):
        assert error(PROBS, GOLD, bins=5) == pytest.approx(0.4)
    uneven = np.array([0, 0, 0, 0])  # .1 too modest, and .4
    assert expected_calibration_error(PROBS, uneven, bins=5) == pytest.approx(0.25)
    assert root_mean_square_calibration_error(PROBS, uneven, bins=5) == pytest.approx(np.sqrt((0.01 + 0.16) / 2))
    assert maximum_calibration_error(PROBS, uneven, bins=5) == pytest.approx(0.4)


def test_bins_of_equal_mass_see_what_one_wide_bin_hides() -> None:
    confidence = np.array([0.92, 0.94, 0.96, 0.98])
    probs, gold = np.column_stack([confidence, 1 - confidence]), np.array([0, 1, 0, 0])
    assert expected_calibration_error(probs, gold, bins=10) == pytest.approx(0.2)  # .95 against .75
    assert adaptive_calibration_error(probs, gold, bins=2) == pytest.approx((0.43 + 0.03) / 2)


def test_each_class_by_hand() -> None:
    probs = np.array([[0.5, 0.3, 0.2], [0.5, 0.3, 0.2]])
    # .5 against 1/2, .3 against 1/2, .2 against none
    assert classwise_calibration_error(probs, np.array([0, 1])) == pytest.approx((0 + 0.2 + 0.2) / 3)


def test_variance_is_taken_off_by_hand() -> None:
    """The .9 are .4 off with a variance of 1/4, the .6 are .4 off with none; then both have 1/4, and are .4, .1 off."""
    assert debiased_calibration_error(PROBS, GOLD, bins=2) == pytest.approx(np.sqrt((0.16 - 0.25 + 0.16) / 2))
    assert debiased_calibration_error(PROBS, np.array([0, 1, 0, 1]), bins=2) == 0


def test_single_items_have_no_variance() -> None:
    assert np.isnan(debiased_calibration_error(PROBS[1:3], GOLD[1:3]))
    assert debiased_calibration_error(PROBS[1:], np.array([0, 0, 0]), bins=2) == pytest.approx(0.4)  # the .6 only


def calibrated(random: np.random.Generator, n_items: int, too_sure: float = 0.0) -> Case:
    confidence = random.uniform(0.6, 0.95, size=n_items)
    return np.column_stack([confidence, 1 - confidence]), (random.random(n_items) > confidence - too_sure).astype(int)


def test_debiased_is_near_the_truth_where_the_plain_one_is_not() -> None:
    for truth in (0.0, 0.1):
        sets = [calibrated(np.random.default_rng(seed), 150, truth) for seed in range(200)]
        plain = np.mean([root_mean_square_calibration_error(*sample, binning="mass") ** 2 for sample in sets])
        debiased = np.mean([debiased_calibration_error(*sample) ** 2 for sample in sets])
        assert abs(debiased - truth**2) < 0.25 * abs(plain - truth**2)


def test_the_bias_of_ece_is_what_its_page_says() -> None:
    mean = np.mean([expected_calibration_error(*calibrated(np.random.default_rng(seed), 300)) for seed in range(200)])
    pred_probs = np.sqrt(2 * 6 * 0.775 * 0.225 / (np.pi * 300))  # six of fifteen bins hold .6 to .95
    assert 0.85 * pred_probs < mean < 1.05 * pred_probs


def test_sigmoid_of_the_logits_of_a_layer() -> None:
    logits = np.array([[1.0, 0.0, -1.0], [0.5, 1.5, -2.0]])
    probs = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(sigmoid_reading(probs), 1 / (1 + np.exp(-logits)))
    assert expected_calibration_error(sigmoid_reading(probs), np.array([0, 0]), bins=10) == pytest.approx(
        (1 - 1 / (1 + np.exp(-1)) + 1 / (1 + np.exp(-1.5))) / 2
    )


def test_sigmoid_keeps_the_most_likely_class() -> None:
    """Where others are impossible, both large logits come out as 1: the second is still the larger."""
    assert sigmoid_reading(np.array([[0.49, 0.51, 0.0]])).argmax() == 1
    assert sigmoid_reading(np.array([[0.5, 0.5, 0.0]])).argmax() == 0


def test_without_gold_there_is_no_error() -> None:
    for error in ERRORS:
        assert np.isnan(error(np.full((2, 2), 0.5), np.array([-1, -1])))


@settings(deadline=None)
@given(cases())
def test_what_always_holds(case: Case) -> None:
    probs, gold = case
    order = np.random.default_rng(0).permutation(len(gold))
    for error in ERRORS:
        result = error(probs, gold)
        assert np.isnan(result) or 0 <= result <= 1 + 1e-12
        assert error(probs[order], gold[order]) == pytest.approx(result, nan_ok=True, abs=1e-7)
        assert error(probs[gold >= 0], gold[gold >= 0]) == pytest.approx(result, nan_ok=True, abs=1e-12)
    if (gold >= 0).any():
        mean, root, largest = (
            error(probs, gold)
            for error in (expected_calibration_error, root_mean_square_calibration_error, maximum_calibration_error)
        )
        assert mean <= root + 1e-12 <= largest + 2e-12
    np.testing.assert_array_equal(sigmoid_reading(probs).argmax(axis=1), probs.argmax(axis=1))


def test_calibration_by_hand() -> None:
    """Two bins of two: .9 right half of the time, .6 right always."""
    probs = np.array([[0.9, 0.1], [0.9, 0.1], [0.6, 0.4], [0.6, 0.4]])
    assert expected_calibration_error(probs, np.array([0, 1, 0, 0]), bins=5) == pytest.approx(0.5 * 0.4 + 0.5 * 0.4)
