import numpy as np

from quorate import Votes
from quorate.aggregation.wawa import Wawa

VOTES = Votes.from_matrix([[0, 0, 1], [1, 1, 1], [0, 0, 1], [1, -1, 0]])


def test_by_hand() -> None:
    """The majority says 0, 1, 0 and is tied on the last task. Skills: 3.5 of 4, 3 of 3, 1.5 of 4."""
    probs = Wawa().aggregate(VOTES).probs
    assert np.allclose(probs, [[1.875 / 2.25, 0.375 / 2.25], [0.0, 1.0], [1.875 / 2.25, 0.375 / 2.25], [0.3, 0.7]])


def test_a_prior_breaks_ties_and_is_one_more_vote() -> None:
    """The tie is now split .8 to .2: the first worker said 1 there (3.2 of 4), the third said 0 (1.8 of 4)."""
    probs = Wawa().aggregate(VOTES, prior=[[0.8, 0.2]] * 4).probs
    assert np.allclose(probs[3], [(0.45 + 0.8) / 2.25, (0.8 + 0.2) / 2.25])


def test_gold_is_the_majority_where_it_is_known() -> None:
    """By gold the third worker has 3 right of 4 and the first 1.5 + .5 of 4; the tie now goes the other way."""
    probs = Wawa().aggregate(VOTES, gold=[1, 1, 1, -1]).probs
    assert np.allclose(probs[3], [3.5 / 5, 1.5 / 5])
