import numpy as np
import pytest

from benchmarks.aggregation.accuracy import VoteSet
from benchmarks.trust.workers import Ranked, rank, true_accuracy
from quorate import Votes, simulate_votes


def test_true_accuracy_by_hand() -> None:
    """The last task has no gold; the first worker is right about both others, the second about one."""
    votes = Votes.from_matrix([[0, 0], [1, 0], [1, 1]])
    true, n_gold_votes = true_accuracy(VoteSet("hand", votes, np.array([0, 1, -1])))
    assert true.tolist() == [1, 0.5]
    assert n_gold_votes.tolist() == [2, 2]


def test_measures_by_hand() -> None:
    true = np.array([0.5, 0.7, 0.9])
    one = Ranked("hand", 1.0, true, {"up": true + 0.1, "down": -true}, low=true - 0.1, high=np.array([0.4, 0.8, 1.0]))
    assert one.spearman("up") == pytest.approx(1)
    assert one.spearman("down") == pytest.approx(-1)
    assert one.error("up") == pytest.approx(0.1)
    assert one.covered() == pytest.approx(2 / 3)


def test_sets_with_few_workers_are_left_out() -> None:
    crowd = simulate_votes(n_tasks=100, seed=0)
    ranked = rank(VoteSet("simulated", crowd.votes, crowd.gold))
    assert ranked is not None
    assert ranked.spearman("consensus_agreement") > 0.5
    few_gold = np.where(np.arange(100) < 5, crowd.gold, -1)
    assert rank(VoteSet("simulated", crowd.votes, few_gold)) is None
