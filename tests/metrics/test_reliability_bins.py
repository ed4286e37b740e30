"""Bins of confidence, by hand and by what must hold for any predictions."""

import numpy as np
import pytest
from hypothesis import given, settings

from quorate.errors import MethodError
from quorate.metrics import Binning, Reliability, expected_calibration_error, reliability
from tests.metrics.cases import Case, cases

BINNINGS: tuple[Binning, ...] = ("width", "mass")


def same(first: Reliability, other: Reliability) -> None:
    for name in ("low", "high", "confidence", "accuracy", "count"):
        np.testing.assert_allclose(getattr(first, name), getattr(other, name), atol=1e-12)


def test_bins_of_equal_width_by_hand() -> None:
    probs = np.array([[0.9, 0.1], [0.75, 0.25], [0.4, 0.6], [1.0, 0.0], [0.5, 0.5]])
    result = reliability(probs, np.array([0, 1, 1, 0, -1]), bins=4)
    assert result.low.tolist() == [0, 0.25, 0.5, 0.75]
    assert result.high.tolist() == [0.25, 0.5, 0.75, 1]
    assert result.count.tolist() == [0, 0, 1, 3]  # .75 and 1 are both of the last bin
    np.testing.assert_allclose(result.confidence, [np.nan, np.nan, 0.6, 2.65 / 3])
    np.testing.assert_allclose(result.accuracy, [np.nan, np.nan, 1, 2 / 3])
    np.testing.assert_allclose(result.gap, [np.nan, np.nan, -0.4, 0.65 / 3])
    assert result.share.tolist() == [0, 0, 0.25, 0.75]


def test_bins_of_equal_mass_by_hand() -> None:
    confidence = np.array([0.9, 0.6, 0.8, 0.7])
    result = reliability(np.column_stack([confidence, 1 - confidence]), np.array([0, 1, 1, 0]), bins=2, binning="mass")
    assert result.low.tolist() == [0.6, 0.8]
    assert result.high.tolist() == [0.7, 0.9]
    assert result.count.tolist() == [2, 2]
    np.testing.assert_allclose(result.confidence, [0.65, 0.85])
    assert result.accuracy.tolist() == [0.5, 0.5]


def test_equal_confidences_share_a_bin_of_mass() -> None:
    confidence = np.array([1.0, 1, 1, 0.6, 0.7])
    result = reliability(np.column_stack([confidence, 1 - confidence]), np.zeros(5, dtype=int), bins=5, binning="mass")
    assert result.count.tolist() == [1, 1, 3, 0, 0]
    np.testing.assert_array_equal(result.high, [0.6, 0.7, 1, np.nan, np.nan])


@pytest.mark.parametrize("binning", BINNINGS)
def test_without_gold_all_bins_are_empty(binning: Binning) -> None:
    result = reliability(np.full((3, 2), 0.5), np.full(3, -1), bins=4, binning=binning)
    assert result.count.tolist() == [0, 0, 0, 0]
    assert np.isnan(result.confidence).all()
    assert np.isnan(result.share).all()


def test_bins_that_cannot_be_are_refused() -> None:
    probs, gold = np.full((3, 2), 0.5), np.zeros(3, dtype=int)
    with pytest.raises(MethodError, match="bins must be at least 1, got 0"):
        reliability(probs, gold, bins=0)
    with pytest.raises(MethodError, match="got 'equal'"):
        reliability(probs, gold, binning="equal")  # type: ignore[arg-type]


@settings(deadline=None)
@given(cases())
def test_what_always_holds(case: Case) -> None:
    probs, gold = case
    order = np.random.default_rng(0).permutation(len(gold))
    for binning in BINNINGS:
        result = reliability(probs, gold, binning=binning)
        same(result, reliability(probs[order], gold[order], binning=binning))
        same(result, reliability(probs[gold >= 0], gold[gold >= 0], binning=binning))
        assert result.count.sum() == (gold >= 0).sum()
        full = result.count > 0
        assert (result.low[full] <= result.confidence[full] + 1e-12).all()
        assert (result.confidence[full] <= result.high[full] + 1e-12).all()
        assert (np.diff(result.confidence[full]) > 0).all()
    width = reliability(probs, gold)
    error = np.nansum(width.share * np.abs(width.gap)) if (gold >= 0).any() else np.nan
    np.testing.assert_allclose(expected_calibration_error(probs, gold), error, atol=1e-12)
