import numpy as np
import pytest

from quorate import Votes
from quorate.data.decisions import ACCEPT, ASK
from quorate.decision.base import NO_WARM_UP
from quorate.decision.policies.threshold import FittedThreshold, Threshold
from quorate.errors import MethodError
from tests.decision.policies.pools import COSTS, EIGHTY, state


def test_the_machine_labels_what_it_is_confident_of_and_the_crowd_the_rest() -> None:
    votes = Votes.from_counts([[0, 0], [0, 0], [0, 1], [0, 1], [0, 3]])
    machines = {"m": np.array([[0.9, 0.1], [0.89, 0.11], [0.95, 0.05], [0.8, 0.2], [0.99, 0.01]])}
    policy = Threshold(costs=COSTS, t=0.9, n=3)
    decisions = policy.decide(state(votes, policy.fit(votes, machines), machines))
    assert decisions.action.tolist() == [ACCEPT, ASK, ACCEPT, ASK, ACCEPT]
    assert decisions.label.tolist() == [0, 0, 0, 1, 1]  # three votes stand, whatever the machine says


def test_without_available_votes_the_crowd_decides_or_the_machine() -> None:
    votes = Votes.from_counts([[0, 1], [0, 0]])
    machines = {"m": np.array([[0.8, 0.2], [0.8, 0.2]])}
    policy = Threshold(costs=COSTS)
    decisions = policy.decide(state(votes, policy.fit(votes, machines), machines, can_ask=[[False], [False]]))
    assert decisions.action.tolist() == [ACCEPT, ACCEPT]
    assert decisions.label.tolist() == [1, 0]


def test_without_a_machine_it_is_three_votes_each() -> None:
    votes = Votes.from_counts([[0, 0], [1, 2]])
    policy = Threshold(costs=COSTS)
    assert policy.decide(state(votes, policy.fit(votes, {}))).action.tolist() == [ASK, ACCEPT]


def test_the_crowd_costs_its_votes_and_its_errors() -> None:
    # Two of three voters, each wrong in one of five cases, are wrong with .2^3 + 3 * .2^2 * .8 = .104.
    policy = Threshold(costs=COSTS, n=3)
    assert policy.cost_of_crowd(np.array([0.5, 0.5]), EIGHTY) == pytest.approx(3 + 10.4)


def test_the_tuned_threshold_is_the_cheapest_on_gold() -> None:
    # Four tasks in falling confidence, the third wrong: at .8 two cost nothing and two go to the crowd.
    probs = np.array([[0.9, 0.1], [0.8, 0.2], [0.7, 0.3], [0.6, 0.4]])
    policy = Threshold(costs=COSTS)
    assert policy.cheapest_threshold(probs, np.array([0, 0, 1, 0]), 13.4) == 0.8
    assert policy.cheapest_threshold(probs, np.array([0, 0, 0, 0]), 13.4) == 0.6
    assert policy.cheapest_threshold(probs, np.array([1, 1, 1, 1]), 13.4) == np.inf
    tied = np.array([[0.9, 0.1], [0.9, 0.1]])
    assert policy.cheapest_threshold(tied, np.array([0, 1]), 13.4) == np.inf  # no threshold takes the first alone


def test_it_is_tuned_only_where_there_is_enough_gold() -> None:
    votes = Votes.from_counts(np.zeros((40, 2), dtype=int))
    machines = {"m": np.tile([0.7, 0.3], (40, 1))}
    few, many = np.where(np.arange(40) < 19, 0, -1), np.zeros(40, dtype=int)
    tuned = Threshold(costs=COSTS, tuned=True)
    for gold, t in ((few, 0.9), (many, 0.7)):
        model = tuned.fit(votes, machines, gold)
        assert isinstance(model, FittedThreshold)
        assert model.t == pytest.approx(t)


def test_a_crowd_that_errs_on_gold_gets_fewer_tasks() -> None:
    # Voters who all say the same of everything agree; on gold they are right half of the time.
    votes = Votes.from_counts([[3, 0]] * 40)
    machines = {"m": np.tile([[0.8, 0.2], [0.3, 0.7]], (20, 1))}
    right, half = np.zeros(40, dtype=int), np.arange(40) % 2
    tuned = Threshold(costs=COSTS, tuned=True)
    thresholds = []
    for gold in (right, half):
        model = tuned.fit(votes, machines, gold)
        assert isinstance(model, FittedThreshold)
        thresholds.append(model.t)
    assert thresholds == pytest.approx([0.8, 0.7])  # at .7 the machine errs on half in the first case


def test_only_a_machine_that_must_learn_warms_up() -> None:
    policy = Threshold(costs=COSTS)
    assert policy.warm_up(90, {}) == (30, 3)
    assert policy.warm_up(90, {"m": np.full((90, 2), 0.5)}) == NO_WARM_UP


def test_wrong_options_are_refused() -> None:
    with pytest.raises(MethodError, match="t must be from 0 to 1, got 2"):
        Threshold(costs=COSTS, t=2)
    with pytest.raises(MethodError, match="n must be at least 1, got 0"):
        Threshold(costs=COSTS, n=0)
