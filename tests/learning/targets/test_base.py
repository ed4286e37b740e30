import numpy as np

from quorate import Votes, aggregate
from quorate.learning.targets.soft import Soft
from tests.learning.targets.shares import VOTES


def test_gold_is_taught_without_votes() -> None:
    gold = np.array([-1, -1, 2])
    targets = Soft().make(VOTES, aggregate(VOTES, "dawid_skene", gold=gold))
    assert targets.task.tolist() == [0, 1, 2]
    assert targets.probs[2].tolist() == [0, 0, 1]


def test_where_all_is_of_one_class_tasks_without_votes_are_not_taken_for_certain() -> None:
    votes = Votes.from_arrays([0, 1], [0, 0], [1, 1], n_classes=2, n_tasks=4)
    assert Soft().make(votes, aggregate(votes, "naive_soft")).task.tolist() == [0, 1]
