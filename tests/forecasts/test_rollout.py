from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from quorate import simulate_votes
from quorate.data.costs import CROWD, EXPERT, Costs, Prices
from quorate.data.decisions import ASK
from quorate.data.votes import Votes
from quorate.decision.base import Fused, Machines, PoolState
from quorate.decision.belief import Belief
from quorate.decision.policies.expected_loss import ExpectedLoss
from quorate.decision.policies.fixed_votes import FixedVotes
from quorate.decision.pool_decisions import state_of
from quorate.forecasts.rollout import draw_columns, rehearse
from quorate.typing import Array, Gold


@dataclass(frozen=True, eq=False)
class Plain:
    """A model that needs no fit: the pool answers as it does, and all votes are its."""

    pool: Array
    class_prior: Array = field(default_factory=lambda: np.array([0.5, 0.5]))

    def posterior(self, votes: Votes, machines: Machines, gold: Gold | None = None) -> Array:
        logs = votes.counts() @ np.log(np.maximum(self.pool, 1e-12)).T + np.log(self.class_prior)
        probs: Array = np.exp(logs - logs.max(axis=1, keepdims=True))
        return probs / probs.sum(axis=1, keepdims=True)

    def belief(self, votes: Votes, machines: Machines) -> Belief:
        return Belief.plain(self.posterior(votes, machines), self.pool)


@dataclass(frozen=True)
class PlainFusion:
    accuracy: float

    def fit(self, votes: Votes, machines: Machines, gold: Gold | None = None, start: Fused | None = None) -> Plain:
        a = self.accuracy
        return Plain(np.array([[a, 1 - a], [1 - a, a]]))


def empty(n_tasks: int) -> Votes:
    return Votes.from_arrays([], [], [], n_classes=2, n_tasks=n_tasks)


def pool_of(policy: ExpectedLoss | FixedVotes, votes: Votes) -> PoolState:
    return state_of(policy, votes, {}, np.full(votes.n_tasks, -1))


def test_a_voter_who_is_always_right_is_asked_once() -> None:
    policy = ExpectedLoss(costs=Costs.of_error(100, 2), fusion=PlainFusion(1 - 1e-9))
    result = rehearse(policy, pool_of(policy, empty(1)), runs=7)
    assert result.votes.tolist() == [[1]] * 7
    assert result.error_cost.tolist() == [0.0] * 7


def test_a_voter_who_knows_nothing_is_not_asked() -> None:
    policy = ExpectedLoss(costs=Costs.of_error(100, 2), fusion=PlainFusion(0.5))
    result = rehearse(policy, pool_of(policy, empty(3)), runs=2)
    assert result.votes.tolist() == [[0], [0]]
    assert result.error_cost.tolist() == [150.0, 150.0]


def test_two_agree_by_hand() -> None:
    """Use a cost of 12 and accuracy .8: after one vote .2 * 12 = 2.4; the rule asks until one label leads by two."""
    policy = ExpectedLoss(costs=Costs.of_error(12, 2), fusion=PlainFusion(0.8))
    asks = {}
    for ahead in range(4):
        votes = Votes.from_arrays([0] * ahead, [-1] * ahead, [0] * ahead, n_classes=2, n_tasks=1)
        asks[ahead] = bool(policy.decide(pool_of(policy, votes)).action[0] == ASK)
    ends = min(ahead for ahead, ask in asks.items() if not ask)
    result = rehearse(policy, pool_of(policy, empty(4000)), runs=1)
    # A walk that ends `ends` steps off its start: expected length by Wald's identity.
    odds = 0.25**ends
    expected = ends * (1 - 2 * odds / (1 + odds)) / 0.6
    assert result.votes[0, 0] / 4000 == pytest.approx(expected, rel=0.05)
    assert result.error_cost[0] / 4000 == pytest.approx(12 * odds / (1 + odds), rel=0.15)


def slow(policy: ExpectedLoss, state: PoolState, rng: np.random.Generator) -> int:
    """Return the votes of one run, simulated task by task and vote by vote."""
    total = 0
    for task in range(state.votes.n_tasks):
        own = state.votes.subset(tasks=[task])
        part = replace(state, votes=own, gold=state.gold[[task]], open=state.open[[task]])
        belief = state.model.belief(own, {}).joint[0]
        level, truth = divmod(int(rng.choice(belief.size, p=belief.ravel() / belief.sum())), belief.shape[1])
        answers = state.model.belief(own, {}).answers[level, truth]
        while policy.decide(part).action[0] == ASK:
            label = int(rng.choice(len(answers), p=answers / answers.sum()))
            more = part.votes
            part = replace(
                part,
                votes=replace(
                    more,
                    task=np.append(more.task, 0),
                    worker=np.append(more.worker, -1),
                    label=np.append(more.label, label),
                    seconds=None,
                    time=None,
                ),
            )
            total += 1
    return total


def test_as_brute_force() -> None:
    crowd = simulate_votes(n_tasks=12, votes_per_task=3, seed=1)
    votes = crowd.votes.subset(rows=crowd.votes.task < 6)
    policy = ExpectedLoss(costs=Costs.of_error(50, votes.n_classes))
    state = pool_of(policy, votes)
    rng = np.random.default_rng(5)
    by_hand = np.array([slow(policy, state, rng) for _ in range(6)])
    result = rehearse(policy, state, runs=60).votes[:, 0]
    error = np.hypot(by_hand.std(ddof=1) / np.sqrt(6), result.std(ddof=1) / np.sqrt(60))
    assert abs(by_hand.mean() - result.mean()) < 4 * error


def test_only_votes_that_can_be_had_are_asked_for() -> None:
    policy = FixedVotes(costs=Costs.of_error(10, 2), n=5)
    state = pool_of(policy, Votes.from_matrix([[0, 1, -1], [-1, -1, -1]]))
    assert rehearse(policy, state, runs=2).votes.tolist() == [[8], [8]]
    assert rehearse(policy, state, runs=2, left=np.array([1, 3])).votes.tolist() == [[4], [4]]


def test_an_expert_settles_a_task() -> None:
    prices = Prices(votes={CROWD: 1, EXPERT: 2})
    policy = ExpectedLoss(costs=Costs.of_error(100, 2), prices=prices, fusion=PlainFusion(0.55))
    result = rehearse(policy, pool_of(policy, empty(20)), runs=3)
    assert result.votes.tolist() == [[0, 20]] * 3
    assert result.error_cost.tolist() == [0.0] * 3


def test_the_same_seed_gives_the_same_runs() -> None:
    policy = ExpectedLoss(costs=Costs.of_error(20, 2), fusion=PlainFusion(0.7))
    state = pool_of(policy, empty(40))
    first, same, other = (rehearse(policy, state, runs=3, seed=seed).votes.tolist() for seed in (1, 1, 2))
    assert first == same != other


def test_columns_are_drawn_with_their_probabilities() -> None:
    result = draw_columns(np.repeat([[0.2, 0.0, 0.8]], 20_000, axis=0), np.random.default_rng(0))
    assert np.bincount(result, minlength=3)[1] == 0
    assert np.mean(result == 2) == pytest.approx(0.8, abs=0.02)
