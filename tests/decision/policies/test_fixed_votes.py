import numpy as np
import pytest

from quorate import Votes
from quorate.aggregation.dawid_skene import DawidSkene
from quorate.aggregation.majority import Majority
from quorate.data.costs import Costs
from quorate.data.decisions import ACCEPT, ASK
from quorate.decision.policies.fixed_votes import FixedVotes
from quorate.errors import MethodError
from quorate.replay.pool import replay
from tests.crowds import small_crowd
from tests.decision.policies.pools import COSTS, state


def test_every_task_gets_its_votes_and_no_more() -> None:
    votes = Votes.from_counts([[0, 0], [1, 1], [1, 2], [4, 0]])
    policy = FixedVotes(costs=COSTS, n=3)
    decisions = policy.decide(state(votes, policy.fit(votes, {}), can_ask=[[True], [False], [True], [True]]))
    assert decisions.action.tolist() == [ASK, ACCEPT, ACCEPT, ACCEPT]
    assert decisions.label[2:].tolist() == [1, 0]
    assert decisions.reasons[decisions.reason[1]] == "no more votes are available"


def test_zero_asks_as_long_as_there_are_votes() -> None:
    votes = Votes.from_counts([[9, 0], [9, 0]])
    policy = FixedVotes(costs=COSTS, n=0)
    assert policy.decide(state(votes, policy.fit(votes, {}), can_ask=[[True], [False]])).action.tolist() == [
        ASK,
        ACCEPT,
    ]


def test_ties_go_to_the_commoner_class() -> None:
    votes = Votes.from_counts([[1, 1], [0, 2], [0, 2], [2, 0], [0, 2]])
    policy = FixedVotes(costs=COSTS, n=2)
    model = policy.fit(votes, {})
    assert model.class_prior[1] > 0.5
    decisions = policy.decide(state(votes, model))
    assert decisions.label[0] == 1
    assert np.allclose(decisions.probs[0], model.class_prior)


def test_majority_is_that_of_aggregation_where_there_are_no_ties() -> None:
    votes = small_crowd(3)
    counts = np.sort(votes.counts(), axis=1)
    clear = counts[:, -1] > counts[:, -2]
    policy = FixedVotes(costs=Costs.of_error(100, 3))
    decisions = policy.decide(state(votes, policy.fit(votes, {})))
    assert np.array_equal(decisions.probs[clear], Majority().aggregate(votes).probs[clear])


@pytest.mark.parametrize("with_gold", [False, True])
def test_dawid_skene_is_that_of_aggregation(with_gold: bool) -> None:
    votes = small_crowd(3)
    gold = np.where(np.arange(votes.n_tasks) % 9 == 0, 1, -1) if with_gold else np.full(votes.n_tasks, -1)
    policy = FixedVotes(costs=Costs.of_error(100, 3), method="dawid_skene")
    model = policy.fit(votes, {}, gold)
    decisions = policy.decide(state(votes, model, gold=gold))
    assert np.allclose(decisions.probs, DawidSkene().aggregate(votes, gold=gold).probs, atol=1e-5)
    again = policy.fit(votes, {}, gold, model)
    assert np.allclose(again.posterior(votes, {}, gold), decisions.probs, atol=0.01)


def test_a_replay_pays_for_the_fixed_number_of_votes() -> None:
    votes = small_crowd(2)
    for n in (1, 3, 0):
        outcome = replay(FixedVotes(costs=COSTS, n=n), votes, np.zeros(votes.n_tasks, dtype=int))
        assert np.array_equal(outcome.votes, np.minimum(votes.votes_per_task, n or 99))


def test_wrong_options_are_refused() -> None:
    with pytest.raises(MethodError, match="n must be zero"):
        FixedVotes(costs=COSTS, n=-1)
    with pytest.raises(MethodError, match="method must be one of majority, dawid_skene, got 'mode'"):
        FixedVotes(costs=COSTS, method="mode")  # type: ignore[arg-type]
