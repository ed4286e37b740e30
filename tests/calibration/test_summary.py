"""All numbers at once: each is what its own function gives."""

from typing import Any

import numpy as np
import pytest

from quorate import Votes
from quorate.errors import VotesError
from quorate.metrics import (
    METRICS,
    accuracy,
    bootstrap,
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


@pytest.mark.parametrize(
    ("probs", "gold", "message"),
    [
        (PROBS, GOLD + 1, r"gold of row \d+ is 6: use -1 or 0 to 5"),
        (
            PROBS,
            GOLD.astype(float),
            "-1 where there is none: 40 whole numbers, got float64",
        ),
        (PROBS, ["cat"] * 40, "gold must be one class index per task"),
        (PROBS[0], GOLD[:6], "a row per task and a column per class"),
        (PROBS * np.nan, GOLD, "row 1: .*, sum nan"),
        ([["a", "b"]], [0], "probabilities must be numbers"),
    ],
)
def test_what_cannot_be_measured_is_refused_in_one_line(probs: Any, gold: Any, message: str) -> None:
    with pytest.raises(VotesError, match=message):
        summary(probs, gold)
    with pytest.raises(VotesError, match=message):
        bootstrap(accuracy, probs, gold, repeats=2)


def test_lists_are_as_good_as_arrays() -> None:
    assert summary(PROBS.tolist(), GOLD.tolist()) == summary(PROBS, GOLD)
