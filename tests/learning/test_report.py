"""The report of predictions: by gold, by votes, through the workers."""

import numpy as np
import pytest

from quorate import Votes, aggregate
from quorate.errors import VotesError
from quorate.learning.scoring import report

PROBS = np.array([[0.9, 0.1], [0.3, 0.7], [0.5, 0.5]])
VOTES = Votes.from_matrix([[0, 0, 1], [1, 1, -1], [-1, -1, -1]])


def test_cross_entropy_to_votes_by_hand() -> None:
    scores = report(PROBS, votes=VOTES)
    assert set(scores) == {"votes_cross_entropy"}
    assert scores["votes_cross_entropy"] == pytest.approx(-np.log([0.9, 0.9, 0.1, 0.7, 0.7]).mean())


def test_shares_of_the_votes_are_the_best_that_can_be_said() -> None:
    shares = np.array([[2 / 3, 1 / 3], [0, 1], [0.5, 0.5]])
    best = report(shares, votes=VOTES)["votes_cross_entropy"]
    assert best < report(PROBS, votes=VOTES)["votes_cross_entropy"]


def test_everything_that_can_be_told() -> None:
    scores = report(PROBS, np.array([0, 0, -1]), VOTES, aggregate(VOTES))
    assert list(scores) == [
        "accuracy", "balanced_accuracy", "macro_f1", "ece", "nll", "brier",
        "votes_cross_entropy", "votes_through_workers"
    ]  # fmt: skip
    assert scores["accuracy"] == 0.5
    assert "votes_through_workers" not in report(PROBS, None, VOTES, aggregate(VOTES, "majority"))


def test_no_votes_no_score_of_votes() -> None:
    assert report(PROBS, votes=VOTES.subset(rows=[])) == {}


def test_what_does_not_fit_is_told() -> None:
    with pytest.raises(VotesError, match="3 predictions, but gold of 2"):
        report(PROBS, np.array([0, 1]))
    with pytest.raises(VotesError, match="2 predictions, but votes on 3"):
        report(PROBS[:2], votes=VOTES)
