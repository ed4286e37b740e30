"""A session: who can be asked, what was spent, when the classifier is taught and the model fitted."""

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
import pytest

from quorate.data.costs import Costs, Prices
from quorate.data.votes import Votes
from quorate.decision.base import TAUGHT, Fused, Machines, WarmUp
from quorate.decision.policies.expected_loss import ExpectedLoss
from quorate.decision.policies.fixed_votes import FixedVotes
from quorate.decision.stated_error import discounted_errors
from quorate.replay.session import Session, batch_size
from quorate.typing import Array, Gold

VOTES = Votes.from_matrix(np.tile([[0, 0, 1], [1, 1, 0]], (10, 1)))
TRUTH = np.tile([0, 1], 10)
COSTS = Costs.of_error(20, 2)
PRICES = Prices(votes={"crowd": 2, "expert": 10}, machine=0.5)
CROWD_KIND, EXPERT_KIND = 0, 1


@dataclass
class Pupil:
    """A classifier that records the number of votes in each lesson."""

    lessons: list[int] = field(default_factory=list)
    learns: ClassVar[bool] = True

    def start(self) -> Array | None:
        return None

    def learn(self, votes: Votes, probs: Array, gold: Gold) -> Array:
        self.lessons.append(len(votes))
        return np.full((votes.n_tasks, votes.n_classes), 0.5)


@dataclass(frozen=True)
class Recorder(FixedVotes):
    """Fixed votes that record the number of votes in each fit."""

    fits: list[int] = field(default_factory=list)

    def warm_up(self, n_tasks: int, machines: Machines) -> WarmUp:
        return WarmUp(n_tasks // 2, 2)

    def fit(self, votes: Votes, machines: Machines, gold: Gold | None = None, start: Fused | None = None) -> Fused:
        self.fits.append(len(votes))
        return super().fit(votes, machines, gold, start)


def make_session(classifier: Pupil | None = None, **options: Any) -> Session:
    return Session(Recorder(costs=COSTS, prices=PRICES), VOTES, TRUTH, classifier, **options)


def buy(session: Session, n_tasks: int, kind: int = CROWD_KIND) -> None:
    session.buy(np.arange(n_tasks), np.full(n_tasks, kind))


def fits_of(session: Session) -> list[int]:
    assert isinstance(session.policy, Recorder)
    return session.policy.fits


def test_money_and_who_can_be_asked() -> None:
    session = make_session(known_gold=np.where(np.arange(20) == 19, TRUTH, -1), budget=100.0)
    assert session.money_left == 100 - 20 * 0.5
    buy(session, 3)
    session.buy_expert_labels(np.array([3]))
    assert session.spent()[:5].tolist() == [2.5, 2.5, 2.5, 10.5, 0.5]
    assert session.money_left == 100 - 20 * 0.5 - 3 * 2 - 10
    assert session.gold[[0, 3, 19]].tolist() == [-1, TRUTH[3], TRUTH[19]]
    assert session.unlabelled.sum() == 20 - 3 - 1 - 1
    assert session.can_ask()[[0, 3, 19]].tolist() == [[True, True], [False, False], [False, False]]
    for _ in range(3):
        buy(session, 1)  # the task has three votes
    assert session.can_ask()[0].tolist() == [False, True]
    assert session.source.shown[0] == 3


def test_without_a_budget_money_never_ends() -> None:
    assert make_session().money_left == np.inf


def test_a_rounding_error_is_no_money() -> None:
    policy = FixedVotes(costs=COSTS, prices=Prices(votes={"crowd": 0.1}))
    session = Session(policy, VOTES, TRUTH, budget=0.3)
    buy(session, 3)
    assert session.money_left == 0


@pytest.mark.parametrize(("budget", "n_bought"), [(np.inf, 10), (12.0, 3), (0.0, 0)])
def test_the_warm_up_buys_what_it_can_pay_in_the_given_order(budget: float, n_bought: int) -> None:
    session = make_session()
    assert session.warm_up(np.arange(20)[::-1], budget=budget) == 10
    assert session.source.shown[::-1].tolist() == [2] * n_bought + [0] * (20 - n_bought)


def test_the_size_of_the_pool_is_passed_to_the_policy() -> None:
    assert make_session().warm_up(np.arange(20), pool_size=6) == 3


def test_tasks_with_gold_come_first_and_others_keep_their_order() -> None:
    session = make_session(known_gold=np.where(np.arange(20) > 17, TRUTH, -1))
    assert session.gold_first(np.array([5, 19, 3, 18])).tolist() == [19, 18, 5, 3]


def test_the_classifier_is_taught_when_the_evidence_has_grown_and_the_model_is_always_fitted() -> None:
    pupil = Pupil()
    session = make_session(pupil, growth=1.5)
    session.learn()
    assert (pupil.lessons, session.machines) == ([], {})  # nothing to learn from
    for n_tasks in (10, 4, 1):
        buy(session, n_tasks)
        session.learn()
    assert pupil.lessons == [10, 15]
    assert fits_of(session) == [0, 10, 14, 15]
    assert list(session.machines) == [TAUGHT]
    assert session.learning_value.labels == [10, 10]


def test_a_model_is_fitted_again_when_enough_is_new_or_the_classifier_was_taught() -> None:
    session = make_session(refit_share=0.5)
    for n_tasks in (10, 4, 1):
        buy(session, n_tasks)
        session.learn()
    assert fits_of(session) == [10, 15]
    pupil = Pupil()
    taught = make_session(pupil, refit_share=0.5, growth=1.2)
    for n_tasks in (10, 2):
        buy(taught, n_tasks)
        taught.learn()
    assert pupil.lessons == fits_of(taught) == [10, 12]


def test_final_lessons_are_limited_and_need_a_classifier() -> None:
    assert not make_session().schedule_final_lesson()
    pupil = Pupil()
    session = make_session(pupil)
    buy(session, 10)
    session.learn()
    n_scheduled = 0
    while session.schedule_final_lesson():
        session.learn()
        n_scheduled += 1
    assert n_scheduled == 2
    assert pupil.lessons == [10, 10, 10]


def test_only_remembered_tasks_teach() -> None:
    pupil = Pupil()
    session = make_session(pupil)
    buy(session, 10)
    session.learn(np.arange(20) < 4)
    assert (pupil.lessons, fits_of(session)) == ([4], [4])
    session.forget()
    assert (session.machines, session.model, session.learning_value.labels) == ({}, None, [])
    session.learn(np.arange(20) < 6)
    assert pupil.lessons == [4, 6]


def test_decisions_on_some_tasks_are_those_on_all() -> None:
    session = make_session()
    buy(session, 10)
    session.learn()
    rows = np.array([12, 3, 7])
    assert session.decide(rows).action.tolist() == session.decide().action[rows].tolist()
    assert session.decide(rows).tasks.tolist() == session.decide().tasks[rows].tolist()


def test_only_what_can_be_paid_is_asked_for() -> None:
    session = make_session(budget=20 * 0.5 + 1.0)  # a vote costs 2
    session.learn()
    assert not session.asking(session.decide()).any()
    assert session.asking(session.decide(ignore_budget=True)).all()


def test_a_label_is_worth_nothing_without_a_classifier_or_a_crowd() -> None:
    assert make_session().label_value(100, 1000.0) == 0
    experts = FixedVotes(costs=COSTS, prices=Prices(votes={"expert": 10}))
    assert Session(experts, VOTES, TRUTH, Pupil()).label_value(100, 1000.0) == 0


def test_labels_that_teach_go_to_unlabelled_tasks() -> None:
    session = make_session(Pupil())
    buy(session, 12)
    session.learn()
    decisions = session.decide()
    chosen = session.choose(decisions, size=8, label_value=1e6)
    assert sorted(chosen.rows.tolist()) == list(range(12, 20))
    assert chosen.counts()["learn"] == 8


def test_the_outcome_by_hand() -> None:
    session = make_session(known_gold=np.where(np.arange(20) == 0, TRUTH, -1))
    buy(session, 2, EXPERT_KIND)
    label, undecided = np.zeros(20, dtype=np.int64), np.arange(20) >= 10
    outcome = session.outcome(np.where(undecided, -1, label), np.full(20, 0.25), rounds=4, undecided=undecided)
    assert outcome.label[:3].tolist() == [0, 1, 0]  # the second by an expert
    assert outcome.wrong.tolist() == [False] * 3 + [True, False] * 3 + [True] + [False] * 10
    assert outcome.error_cost.tolist() == (20 * outcome.wrong).tolist()
    assert outcome.loss[:4].tolist() == [10.5, 10.5, 0.5, 20.5]
    assert outcome.rounds == 4
    assert outcome.stated_error.tolist() == [0, 0] + [0.25] * 8 + [0] * 10  # experts are right, undecided not wrong


def test_stated_errors_are_those_of_discounted_beliefs() -> None:
    session = Session(ExpectedLoss(costs=COSTS, prices=PRICES), VOTES, TRUTH)
    buy(session, 12)
    session.learn()
    decisions = session.decide()
    errors = session.stated_errors(decisions)
    taught = TAUGHT in session.machines
    by_hand = discounted_errors(decisions.probs, decisions.label, session.source.shown, taught=taught)
    np.testing.assert_array_equal(errors, by_hand)
    some = np.array([3, 1, 15])
    np.testing.assert_allclose(session.stated_errors(session.decide(some), some), errors[some])
    without = replace(decisions, label=np.where(np.arange(20) < 2, -1, decisions.label))
    assert session.stated_errors(without)[:2].tolist() == [1, 1]


def test_sizes_of_batches() -> None:
    assert [batch_size(n_asking, 0.2, 10_000) for n_asking in (0, 5, 40, 51, 100)] == [0, 5, 10, 11, 20]
    assert [batch_size(900, 0.2, n_tasks) for n_tasks in (900, 1000, 3600, 10_000)] == [45, 50, 180, 180]
    assert batch_size(60, 0.2, 60) == 10  # 5% of the pool would be 3
