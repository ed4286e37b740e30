"""All numbers at once: each is what its own function gives."""

import numpy as np
import pytest

from quorate import Votes
from quorate.errors import VotesError
from quorate.metrics import (
    METRICS,
    accuracy,
    expected_calibration_error,
    metrics_for,
    sigmoid_reading,
    summary,
    top_k_accuracy,
)

PROBS = np.random.default_rng(0).dirichlet(np.ones(6), size=40)
GOLD = np.random.default_rng(1).integers(-1, 6, size=40)


def test_by_gold() -> None:
    scores = summary(PROBS, GOLD)
    assert set(METRICS) <= set(scores)
    assert scores["accuracy"] == accuracy(PROBS, GOLD)
    assert scores["top_5_accuracy"] == top_k_accuracy(PROBS, GOLD)
    assert scores["ece_sigmoid"] == expected_calibration_error(sigmoid_reading(PROBS), GOLD, bins=10)
    assert scores["brier"] == pytest.approx(
        scores["brier_reliability"]
        - scores["brier_resolution"]
        + scores["brier_uncertainty"]
        + scores["brier_within_bins"]
    )
    assert len(set(scores.values())) == len(scores)  # no number stands under two names
    assert not any(name.startswith("people") for name in scores)


def test_by_people() -> None:
    votes = Votes.from_matrix([[0, 0, 1], [1, 1, 1]])
    scores = summary(np.array([[0.6, 0.4], [0.2, 0.8]]), votes=votes)
    assert len(scores) == 8
    assert scores["people_total_variation"] == pytest.approx((2 / 3 - 0.6 + 0.2) / 2)
    assert scores["people_kl_floor"] > 0
    assert summary(PROBS) == {}


def test_the_best_five_of_four_say_nothing() -> None:
    assert "top_5_accuracy" not in metrics_for(5)
    assert "top_2_accuracy" in metrics_for(5)
    assert "top_2_accuracy" not in metrics_for(2)


def test_without_gold_all_are_unknown() -> None:
    assert np.isnan(list(summary(PROBS, np.full(40, -1)).values())).all()


def test_what_does_not_fit_is_told() -> None:
    with pytest.raises(VotesError, match="40 predictions, but gold of 2"):
        summary(PROBS, GOLD[:2])


def test_lists_are_as_good_as_arrays() -> None:
    assert summary(PROBS.tolist(), GOLD.tolist()) == summary(PROBS, GOLD)
