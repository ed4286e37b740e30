"""The Brier score and its parts: by hand, as scikit-learn has it, and that the parts add up."""

import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.metrics import brier_score_loss

from quorate.metrics import Binning, brier, brier_decomposition
from quorate.metrics.proper_scores import BrierParts
from tests.metrics.cases import Case, cases


def total(parts: BrierParts) -> float:
    return parts.reliability - parts.resolution + parts.uncertainty + parts.within_bins


def test_by_hand() -> None:
    probs = np.array([[0.7, 0.2, 0.1], [0.0, 1.0, 0.0], [1 / 3, 1 / 3, 1 / 3]])
    assert brier(probs, np.array([0, 2, -1])) == pytest.approx((0.09 + 0.04 + 0.01 + 2) / 2)


@pytest.mark.parametrize("seed", range(3))
def test_as_scikit_learn_has_it(seed: int) -> None:
    random = np.random.default_rng(seed)
    probs, gold = random.dirichlet(np.ones(4), size=50), random.integers(-1, 4, size=50)
    theirs = brier_score_loss(gold[gold >= 0], probs[gold >= 0], labels=range(4), scale_by_half=False)
    assert brier(probs, gold) == pytest.approx(theirs)
    binary = probs[:, :1] + np.array([[0, -1]]) * (2 * probs[:, :1] - 1)
    side = random.integers(0, 2, size=50)
    assert brier(binary, side) == pytest.approx(2 * brier_score_loss(side, binary[:, 1]))


def test_parts_by_hand() -> None:
    """First class: .75 twice, happens once; 0 twice, never: 1/16, 1/16 and 3/16, and the same for the second."""
    probs, gold = np.array([[0.75, 0.25], [0.75, 0.25], [0.0, 1.0], [0.0, 1.0]]), np.array([0, 1, 1, 1])
    parts = brier_decomposition(probs, gold)
    assert (parts.reliability, parts.resolution, parts.uncertainty) == (2 / 32, 2 / 16, 6 / 16)
    assert parts.within_bins == 0


def test_what_is_left_within_a_bin_by_hand() -> None:
    """One bin of .6 and .8, of which the second happens: means .7 and 1/2, variance .01, covariance .05."""
    parts = brier_decomposition(np.array([[0.6, 0.4], [0.8, 0.2]]), np.array([1, 0]), bins=1)
    assert parts.reliability == pytest.approx(0.2**2 + 0.2**2)
    assert parts.resolution == 0
    assert parts.uncertainty == pytest.approx(0.5)
    assert parts.within_bins == pytest.approx(2 * (0.01 - 2 * 0.05))
    assert total(parts) == pytest.approx((2 * 0.6**2 + 2 * 0.2**2) / 2)


def test_without_gold_there_is_none() -> None:
    probs, gold = np.full((2, 2), 0.5), np.array([-1, -1])
    assert np.isnan(brier(probs, gold))
    assert np.isnan(total(brier_decomposition(probs, gold)))


@settings(deadline=None)
@given(cases(least=1))
def test_what_always_holds(case: Case) -> None:
    probs, gold = case
    score = brier(probs, gold)
    assert 0 <= score <= 2
    kinds: tuple[Binning, ...] = ("width", "mass")
    for binning in kinds:
        for bins in (1, 10):
            parts = brier_decomposition(probs, gold, bins=bins, binning=binning)
            assert total(parts) == pytest.approx(score, abs=1e-12)
            assert parts.resolution <= parts.uncertainty + 1e-12
            assert min(parts.reliability, parts.resolution, parts.uncertainty) >= 0
    order = np.random.default_rng(0).permutation(len(gold))
    assert brier(probs[order], gold[order]) == pytest.approx(score)
    assert brier(probs[gold >= 0], gold[gold >= 0]) == pytest.approx(score)
