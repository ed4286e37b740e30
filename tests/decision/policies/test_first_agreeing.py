import pytest

from quorate import Votes
from quorate.data.costs import Costs
from quorate.data.decisions import ACCEPT, ASK
from quorate.decision.policies.first_agreeing import FirstAgreeing
from quorate.errors import MethodError
from tests.decision.policies.pools import state

COSTS = Costs.of_error(100, 3)


def test_three_agree_five_at_most() -> None:
    votes = Votes.from_counts([[0, 0, 0], [2, 0, 0], [3, 0, 0], [2, 2, 0], [2, 2, 1], [1, 3, 0], [0, 1, 2]])
    policy = FirstAgreeing(costs=COSTS)
    decisions = policy.decide(state(votes, policy.fit(votes, {})))
    assert decisions.action.tolist() == [ASK, ASK, ACCEPT, ASK, ACCEPT, ACCEPT, ASK]
    assert decisions.label[[2, 5, 6]].tolist() == [0, 1, 2]


def test_without_a_limit_it_asks_until_they_agree() -> None:
    votes = Votes.from_counts([[2, 2, 2], [2, 3, 2]])
    policy = FirstAgreeing(costs=COSTS, most=0)
    assert policy.decide(state(votes, policy.fit(votes, {}))).action.tolist() == [ASK, ACCEPT]


def test_wrong_options_are_refused() -> None:
    with pytest.raises(MethodError, match="agree must be at least 1, got 0"):
        FirstAgreeing(costs=COSTS, agree=0)
    with pytest.raises(MethodError, match="most must be zero"):
        FirstAgreeing(costs=COSTS, most=-1)
