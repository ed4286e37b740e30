import pytest

from quorate import Votes, aggregate
from quorate.quality.agreement.consistency import Consistency


def test_tasks_without_votes_are_left_out() -> None:
    votes = Votes.from_arrays([0, 0, 0, 0, 1], [0, 1, 2, 3, 0], [0, 0, 0, 1, 1], n_classes=2, n_tasks=3)
    assert Consistency().score(votes, aggregate(votes, "naive_soft")) == pytest.approx((0.75 + 1) / 2)
