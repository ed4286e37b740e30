import pytest

from quorate import Prices, Votes, decide
from quorate.data.decisions import ACCEPT, ASK
from quorate.decision.summary import summarise

VOTES = Votes.from_matrix([[0, 0, 0], [1, 1, 1], [0, 1, -1]])


def test_a_summary_counts_tasks_and_money() -> None:
    prices = Prices(votes={"crowd": 2, "expert": 10})
    decisions = decide(VOTES, cost_error=50, prices=prices)
    summary = summarise(decisions, prices)
    asked = int((decisions.action == ASK).sum())
    assert asked > 0
    assert summary.accepted + asked == summary.n_tasks == 3
    assert sum(summary.asked.values()) == asked
    assert summary.spend == 2 * summary.asked["crowd"] + 10 * summary.asked["expert"]
    assert summary.error_cost == pytest.approx(decisions.expected_cost[decisions.action == ACCEPT].sum())
    assert summary.error.startswith("not stated")
    assert decisions.summary().error == decisions.model_error.words
