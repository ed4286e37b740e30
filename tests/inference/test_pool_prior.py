import numpy as np
import pytest

from quorate.data.votes import Votes
from quorate.inference.bayes import clamp_gold
from quorate.inference.pool_prior import class_prior


def test_gold_is_clamped() -> None:
    assert clamp_gold(np.array([[0.5, 0.5], [0.5, 0.5]]), np.array([1, -1])).tolist() == [[0.0, 1.0], [0.5, 0.5]]


def test_the_class_prior_by_hand() -> None:
    # One task, one vote for class 0 believed at .9: .9 of the task, 3 pseudo-tasks by votes, 20 shared evenly.
    votes = Votes.from_arrays([0], [0], [0], n_classes=2)
    assert class_prior(votes, np.array([[0.9, 0.1]]), None)[0] == pytest.approx((0.9 + 3 + 10) / 24)
