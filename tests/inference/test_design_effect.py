"""The discount of correlated votes, against numbers worked out by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate import Votes, aggregate
from quorate.aggregation import DawidSkene, NaiveSoft
from quorate.inference.design_effect import design_effect, discount, discount_posterior


def test_nine_votes_count_as_fewer_worked_out_by_hand() -> None:
    """Nine votes are worth 0.9 * 3 = 2.7 independent ones: odds of 2^10 shrink to 2^(10 * 2.7 / 9) = 8 to 1."""
    odds = 2.0**10
    row = np.array([[odds / (1 + odds), 1 / (1 + odds)]])
    assert discount(row, design_effect([9])).round(9).tolist() == [[round(8 / 9, 9), round(1 / 9, 9)]]


def test_tiny_probabilities_are_not_clipped() -> None:
    """1e-32 and 1e-24 differ: the logarithm of a probability is divided, however small it is."""
    row = np.array([[1.0, 1e-24, 1e-32]])
    result = discount(row, np.array([4.0]))[0]
    assert result[1] / result[0] == pytest.approx(1e-6)
    assert result[2] / result[0] == pytest.approx(1e-8)


@given(st.lists(st.floats(0.001, 1.0), min_size=2, max_size=6, unique=True), st.integers(1, 500))
def test_the_order_of_classes_stays_and_certainty_falls(weights: list[float], n_votes: int) -> None:
    probs = np.array([weights]) / np.sum(weights)
    result = discount(probs, design_effect([n_votes]))
    assert np.isclose(result.sum(), 1)
    assert np.array_equal(np.argsort(result[0], kind="stable"), np.argsort(probs[0], kind="stable"))
    assert result.max() <= probs.max() + 1e-12


def test_votes_nine_to_eight_to_three_are_no_certainty() -> None:
    """Of twenty workers on a task, 9, 8 and 3 choose the same class."""
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 3, 300)
    labels = np.where(rng.random((300, 20)) < 0.6, gold[:, None], rng.integers(0, 3, (300, 20)))
    labels[0] = [0] * 9 + [1] * 8 + [2] * 3
    votes = Votes.from_matrix(labels)
    raw, discounted = (aggregate(votes, "dawid_skene", probabilities=kind) for kind in ("model", "calibrated"))
    assert raw.labels[0] == discounted.labels[0]
    assert discounted.confidence[0] < 0.75
    assert raw.confidence[0] > discounted.confidence[0]


def test_tasks_without_votes_and_gold_labels_stay_as_they_are() -> None:
    votes = Votes.from_arrays([0, 0, 1], [0, 1, 0], [0, 0, 1], n_classes=2, n_tasks=3)
    raw = DawidSkene().aggregate(votes, gold=np.array([-1, 1, -1]))
    result = discount_posterior(raw, votes)
    assert result.discounted
    assert np.array_equal(result.probs[1:], raw.probs[1:])
    assert result.confidence[0] < raw.confidence[0]


def test_shares_of_votes_are_not_discounted_and_nothing_is_discounted_twice() -> None:
    votes = Votes.from_matrix([[0, 0, 1], [1, 1, 1]])
    shares = NaiveSoft().aggregate(votes)
    assert discount_posterior(shares, votes) is shares
    once = discount_posterior(DawidSkene().aggregate(votes), votes)
    assert discount_posterior(once, votes) is once
