"""Replays within a budget: by hand, never beyond the money, and how the other tasks are settled."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quorate import Costs, Prices, Votes, simulate_votes
from quorate.decision.policies.expected_loss import ExpectedLoss
from quorate.decision.policies.fixed_votes import FixedVotes
from quorate.decision.policies.swap import Swap
from quorate.errors import MethodError
from quorate.replay.budget import ORDERS, Order, replay_budget
from quorate.replay.classifiers import FixedClassifier, IncrementalClassifier
from quorate.replay.pool import replay

CROWD = simulate_votes(n_tasks=60, votes_per_task=5, seed=3)
VOTES, GOLD = CROWD.votes, CROWD.gold
COSTS = Costs.of_error(20, 2)
MACHINE = FixedClassifier(np.where(np.eye(2)[GOLD] > 0, 0.7, 0.3))


def test_by_hand_ten_tasks_after_ten() -> None:
    """Buy 45 votes: three on each of the first ten tasks, one on each of the next ten, and a second on five of them."""
    votes = Votes.from_matrix(np.repeat([[0, 0, 0], [1, 1, 1]], 15, axis=0))
    policy = FixedVotes(costs=Costs.of_error(10, 2), prices=Prices(votes={"crowd": 2}))
    done = replay_budget(policy, votes, np.repeat([0, 1], 15), budget=90, order="in_turn")
    assert np.bincount(done.votes).tolist() == [10, 5, 5, 10]
    assert done.decided.tolist() == (done.votes == 3).tolist()
    assert done.spent.tolist() == (2 * done.votes).tolist()
    assert not done.wrong[done.votes > 0].any()
    assert done.wrong[done.votes == 0].any()  # the rest gets one label
    assert done.error_cost.tolist() == (10 * done.wrong).tolist()


def test_the_rest_takes_its_cheapest_label_or_none() -> None:
    policy = FixedVotes(costs=COSTS)
    cheapest = replay_budget(policy, VOTES, GOLD, budget=60, order="in_turn")
    undecided = replay_budget(policy, VOTES, GOLD, budget=60, order="in_turn", rest="undecided")
    assert cheapest.decided.sum() == 20
    assert (cheapest.label >= 0).all()
    assert ((undecided.label < 0) == ~undecided.decided).all()
    assert not undecided.wrong[~undecided.decided].any()
    assert undecided.error_cost[~undecided.decided].sum() == 0
    assert undecided.label[undecided.decided].tolist() == cheapest.label[cheapest.decided].tolist()


@settings(max_examples=25, deadline=None)
@given(
    budget=st.floats(0, 200),
    crowd=st.sampled_from([0.1, 0.3, 1.0, 1.7]),
    expert=st.sampled_from([2.3, 9.0]),
    order=st.sampled_from(ORDERS),
    name=st.sampled_from(["engine", "fixed", "swap"]),
    learning=st.booleans(),
    seed=st.integers(0, 5),
)
def test_never_beyond_the_budget(
    budget: float, crowd: float, expert: float, order: Any, name: str, learning: bool, seed: int
) -> None:
    prices = Prices(votes={"crowd": crowd, "expert": expert})
    make: Any = {"engine": ExpectedLoss, "fixed": FixedVotes, "swap": Swap}[name]
    done = replay_budget(
        make(costs=COSTS, prices=prices), VOTES, GOLD, MACHINE, budget=budget, order=order, learning=learning, seed=seed
    )
    assert done.spent.sum() <= budget + 1e-6
    assert done.spent.sum() == pytest.approx(crowd * done.votes.sum() + expert * done.asked_expert.sum())
    assert (done.votes <= VOTES.votes_per_task).all()
    if not done.decided.all():  # who is still asking could not be paid
        assert budget - done.spent.sum() < expert + 1e-6


def test_with_money_enough_all_is_decided_as_well_as_freely() -> None:
    policy = ExpectedLoss(costs=COSTS)
    free = replay(policy, VOTES, GOLD, MACHINE)
    rich = replay_budget(policy, VOTES, GOLD, MACHINE, budget=1000)
    assert rich.decided.all()
    seeds = range(5)
    freely = np.mean([replay(policy, VOTES, GOLD, MACHINE, seed=seed).loss.mean() for seed in seeds])
    richly = np.mean(
        [replay_budget(policy, VOTES, GOLD, MACHINE, budget=1000, seed=seed).loss.mean() for seed in seeds]
    )
    assert richly < 1.2 * freely  # it may be cheaper: free replays buy in random order
    poor = replay_budget(policy, VOTES, GOLD, MACHINE, budget=free.spent.sum() / 4)
    assert poor.decided.mean() < 1


def test_the_most_saving_first_is_cheaper_than_any_order() -> None:
    crowd = simulate_votes(n_tasks=300, votes_per_task=7, seed=1)
    rng = np.random.default_rng(0)
    sure = rng.uniform(0.5, 1.0, 300)  # some tasks need a vote far more than others
    right = rng.random(300) < sure
    pred_probs = np.where(np.eye(2)[np.where(right, crowd.gold, 1 - crowd.gold)] > 0, sure[:, None], 1 - sure[:, None])
    policy = ExpectedLoss(costs=Costs.of_error(50, 2))
    orders: tuple[Order, ...] = ("value", "random", "in_turn")
    losses = {
        order: np.mean(
            [
                replay_budget(
                    policy, crowd.votes, crowd.gold, FixedClassifier(pred_probs), budget=100, order=order, seed=seed
                ).loss.mean()
                for seed in range(3)
            ]
        )
        for order in orders
    }
    assert losses["value"] < min(losses["random"], losses["in_turn"])


def test_votes_that_teach_are_spread() -> None:
    x = (GOLD[:, None] - 0.5) + np.random.default_rng(0).normal(0, 1, (60, 3))
    policy = ExpectedLoss(costs=COSTS)
    same = {"budget": 80.0, "growth": 1.05, "seed": 1}
    plain = replay_budget(policy, VOTES, GOLD, IncrementalClassifier(x), **same)  # type: ignore[arg-type]
    taught = replay_budget(policy, VOTES, GOLD, IncrementalClassifier(x), learning=True, **same)  # type: ignore[arg-type]
    assert plain.spent.sum() <= 80
    assert taught.spent.sum() <= 80
    assert (taught.votes > 0).sum() >= (plain.votes > 0).sum()


def test_known_gold_is_free_and_the_classifier_is_paid() -> None:
    prices = Prices(votes={"crowd": 1}, machine=0.5)
    policy = ExpectedLoss(costs=COSTS, prices=prices)
    done = replay_budget(policy, VOTES, GOLD, MACHINE, budget=40, known_gold=np.where(np.arange(60) < 30, GOLD, -1))
    assert done.spent.sum() <= 40
    assert not done.wrong[:30].any()
    assert done.decided[:30].all()
    with pytest.raises(MethodError, match="must pay for the classifier, 30, got 20"):
        replay_budget(policy, VOTES, GOLD, MACHINE, budget=20)
    with pytest.raises(MethodError, match="order must be one of value, random, in_turn"):
        replay_budget(policy, VOTES, GOLD, budget=20, order="best")  # type: ignore[arg-type]


def test_a_seed_repeats() -> None:
    policy = ExpectedLoss(costs=COSTS)
    first, again = (replay_budget(policy, VOTES, GOLD, MACHINE, budget=40, seed=7) for _ in range(2))
    assert first.label.tolist() == again.label.tolist()
    assert first.votes.tolist() == again.votes.tolist()


def test_a_former_name_is_accepted_with_a_warning() -> None:
    with pytest.warns(FutureWarning, match="'known' is called 'known_gold'"):
        outcome = replay_budget(FixedVotes(costs=COSTS), VOTES, GOLD, budget=40, known=GOLD)  # type: ignore[call-arg]
    assert outcome.spent.sum() == 0


def test_an_endless_budget_buys_all_that_is_asked_for() -> None:
    outcome = replay_budget(FixedVotes(costs=COSTS), VOTES, GOLD, budget=np.inf)
    assert outcome.votes.tolist() == [3] * 60
