"""Replays of a pool: every vote is shown once, when it is paid for."""

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import ClassVar

import numpy as np
import pytest

from quorate.data.costs import Costs, Prices
from quorate.data.decisions import Decisions
from quorate.data.votes import Votes
from quorate.decision.base import NO_WARM_UP, TAUGHT, Fused, Machines, PoolState, WarmUp
from quorate.decision.policies.expected_loss import ExpectedLoss
from quorate.decision.policies.fixed_votes import FixedVotes
from quorate.replay.classifiers import FixedClassifier, predictions_by_name
from quorate.replay.pool import replay
from quorate.simulation.crowd import simulate_votes
from quorate.typing import Array, Gold

CROWD = simulate_votes(n_tasks=90, votes_per_task=5, seed=3)
COSTS = Costs.of_error(20, 2)


def test_two_votes_each_by_hand() -> None:
    votes = Votes.from_matrix([[0, 0, 1], [1, 1, 0]])
    outcome = replay(FixedVotes(costs=COSTS, n=2), votes, np.array([0, 0]), recorded_order=True)
    assert outcome.votes.tolist() == [2, 2]
    assert outcome.label.tolist() == [0, 1]
    assert outcome.loss.tolist() == [2.0, 22.0]  # two votes; two votes and an error of 20


def test_known_gold_costs_nothing_and_is_never_wrong() -> None:
    known_gold = np.where(np.arange(90) < 30, CROWD.gold, -1)
    outcome = replay(FixedVotes(costs=COSTS, n=3), CROWD.votes, CROWD.gold, known_gold=known_gold)
    assert outcome.votes[:30].sum() == 0
    assert not outcome.wrong[:30].any()
    assert outcome.votes[30:].tolist() == [3] * 60


def test_the_same_seed_gives_the_same_and_no_more_is_bought_than_there_is() -> None:
    policy = ExpectedLoss(costs=Costs.of_error(500, 2))
    first, second = (replay(policy, CROWD.votes, CROWD.gold, seed=4) for _ in range(2))
    assert first.votes.tolist() == second.votes.tolist()
    assert (first.votes <= CROWD.votes.votes_per_task).all()
    assert first.wrong.mean() < 0.15


def test_experts_are_asked_where_they_are_cheap_and_are_always_right() -> None:
    policy = ExpectedLoss(costs=Costs.of_error(500, 2), prices=Prices(votes={"crowd": 1, "expert": 2}))
    outcome = replay(policy, CROWD.votes, CROWD.gold)
    assert outcome.asked_expert.mean() > 0.3
    assert not outcome.wrong[outcome.asked_expert].any()
    assert outcome.spent == pytest.approx(outcome.votes + 2.0 * outcome.asked_expert)


@pytest.mark.slow
def test_audits_are_bought_once_where_they_pay_and_are_paid() -> None:
    crowd = simulate_votes(n_tasks=3000, votes_per_task=5, seed=3)
    policy = ExpectedLoss(costs=Costs.of_error(20, 2), prices=Prices(votes={"crowd": 1, "expert": 10}))
    never, audited = (replay(policy, crowd.votes, crowd.gold, audits=audits) for audits in (False, True))
    assert audited.asked_expert.sum() >= never.asked_expert.sum() + 25
    assert audited.spent == pytest.approx(audited.votes + 10.0 * audited.asked_expert)
    assert not audited.wrong[audited.asked_expert].any()
    small = replay(policy, CROWD.votes, CROWD.gold, audits=True)
    assert small.loss.tolist() == replay(policy, CROWD.votes, CROWD.gold).loss.tolist()  # 90 tasks: it cannot pay


def test_without_a_price_of_the_crowd_no_vote_is_bought_and_experts_label_all() -> None:
    policy = ExpectedLoss(costs=Costs.of_error(500, 2), prices=Prices(votes={"expert": 2}))
    outcome = replay(policy, CROWD.votes, CROWD.gold)
    assert outcome.votes.sum() == 0
    assert outcome.asked_expert.all()


def test_the_name_of_a_classifier_says_whether_the_votes_teach_it() -> None:
    pred_probs = np.full((90, 2), 0.5)
    assert list(predictions_by_name(FixedClassifier(pred_probs), pred_probs)) == ["given"]
    assert list(predictions_by_name(Pupil(), pred_probs)) == [TAUGHT]
    assert not predictions_by_name(Pupil(), None)


def test_an_accurate_classifier_saves_nearly_all_votes() -> None:
    sure = np.where(np.eye(2)[CROWD.gold] == 1, 0.99, 0.01)
    outcome = replay(ExpectedLoss(costs=COSTS), CROWD.votes, CROWD.gold, FixedClassifier(sure))
    assert outcome.votes.mean() < 0.5
    assert outcome.wrong.mean() < 0.05


@dataclass
class Pupil:
    """A classifier that records the number of votes in each lesson."""

    lessons: list[int] = field(default_factory=list)
    learns: ClassVar[bool] = True

    def start(self) -> Array | None:
        return None

    def learn(self, votes: Votes, probs: Array, gold: Gold) -> Array:
        assert probs.shape == (votes.n_tasks, votes.n_classes)
        assert len(gold) == votes.n_tasks
        self.lessons.append(len(votes))
        return np.full((votes.n_tasks, votes.n_classes), 1 / votes.n_classes)


def test_the_classifier_is_taught_again_when_the_votes_have_grown_by_half_and_at_the_end() -> None:
    pupil = Pupil()
    replay(ExpectedLoss(costs=COSTS), CROWD.votes, CROWD.gold, pupil)
    *before, _, last = pupil.lessons
    assert all(later >= 1.5 * earlier for earlier, later in pairwise(before))
    assert last == max(pupil.lessons)


@dataclass(frozen=True)
class Watching(FixedVotes):
    """Asks for its warm-up only."""

    first: WarmUp = NO_WARM_UP

    def warm_up(self, n_tasks: int, machines: Machines) -> WarmUp:
        return self.first


@dataclass
class Recorder:
    """Asks for up to two votes on each of 60 tasks, worth 60, 59, ... 1, and records how many votes were shown."""

    costs: Costs = COSTS
    prices: Prices = field(default_factory=Prices)
    worth: Array = field(default_factory=lambda: np.arange(60.0, 0.0, -1.0))
    shown: list[list[int]] = field(default_factory=list)

    def warm_up(self, n_tasks: int, machines: Machines) -> WarmUp:
        return NO_WARM_UP

    def fit(self, votes: Votes, machines: Machines, gold: Gold | None = None, start: Fused | None = None) -> Fused:
        return FixedVotes(costs=self.costs, n=1).fit(votes, machines, gold, start)

    def decide(self, state: PoolState) -> Decisions:
        self.shown.append(state.votes.votes_per_task.tolist())
        return replace(FixedVotes(costs=self.costs, n=2).decide(state), value=self.worth)


def test_the_votes_that_save_most_are_bought_first() -> None:
    crowd, policy = simulate_votes(n_tasks=60, votes_per_task=2, seed=0), Recorder()
    replay(policy, crowd.votes, crowd.gold)
    # Twelve tasks, 20% of those that ask, would be bought for; 5% of the pool are three; ten is the least.
    assert policy.shown[1] == [1] * 10 + [0] * 50
    assert policy.shown[2] == [2] * 10 + [0] * 50
    assert policy.shown[3] == [2] * 10 + [1] * 10 + [0] * 40


def test_votes_of_equal_worth_are_bought_in_random_order() -> None:
    crowd = simulate_votes(n_tasks=60, votes_per_task=2, seed=0)
    bought = []
    for seed in (0, 1):
        policy = Recorder(worth=np.zeros(60))  # what a policy that estimates no savings states
        replay(policy, crowd.votes, crowd.gold, seed=seed)
        bought.append(policy.shown[1])
        assert sum(policy.shown[1]) == 10
        assert sum(policy.shown[-1]) == 120
    assert bought[0] != bought[1]


def test_the_warm_up_prefers_tasks_whose_label_is_known() -> None:
    known_gold = np.where(np.arange(90) >= 80, CROWD.gold, -1)
    outcome = replay(Watching(costs=COSTS, n=1, first=WarmUp(10, 2)), CROWD.votes, CROWD.gold, known_gold=known_gold)
    assert outcome.votes[80:].tolist() == [2] * 10
