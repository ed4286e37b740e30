"""Streams: tasks are decided on by earlier ones, old tasks are forgotten, and a drift is noticed."""

from typing import Any

import numpy as np
import pytest

from quorate import Costs, Prices, Votes, simulate_votes
from quorate.decision.policies.expected_loss import ExpectedLoss
from quorate.decision.policies.fixed_votes import FixedVotes
from quorate.errors import MethodError
from quorate.replay.classifiers import FixedClassifier, IncrementalClassifier
from quorate.replay.stream import Arrivals, replay_stream
from quorate.typing import Array, Gold

CROWD = simulate_votes(n_tasks=400, votes_per_task=5, seed=3)
VOTES, GOLD = CROWD.votes, CROWD.gold
X = (2.0 * GOLD[:, None] - 1) + np.random.default_rng(0).normal(0, 0.7, (400, 3))
POLICY = ExpectedLoss(costs=Costs.of_error(50, 2))


class Spy:
    """A classifier that records which tasks it was taught on, and returns fixed predictions."""

    learns = True

    def __init__(self, pred_probs: Array) -> None:
        self.pred_probs, self.lessons = pred_probs, list[Any]()

    def start(self) -> Array | None:
        return None

    def learn(self, votes: Votes, probs: Array, gold: Gold) -> Array:
        self.lessons.append(np.flatnonzero(votes.votes_per_task > 0))
        return self.pred_probs


def test_fixed_votes_by_hand() -> None:
    done = replay_stream(FixedVotes(costs=Costs.of_error(20, 2)), VOTES, GOLD, arrivals=Arrivals(rate=4))
    assert (done.votes == 3).all()
    assert done.alarms == ()
    assert done.by_part(2).tolist() == pytest.approx(
        [done.loss[done.position < 200].mean(), done.loss[done.position >= 200].mean()]
    )
    assert sorted(done.position.tolist()) == list(range(400))


def test_only_the_past_teaches_and_only_what_is_remembered() -> None:
    machine = Spy(np.full((400, 2), 0.5))
    policy = FixedVotes(costs=Costs.of_error(20, 2), n=1)
    replay_stream(policy, VOTES, GOLD, machine, Arrivals(rate=20, window=60, check_share=0, recorded=True))
    assert len(machine.lessons) > 5
    for taught in machine.lessons:
        assert taught.max() + 1 - taught.min() <= 60
    assert [taught.max() for taught in machine.lessons] == sorted(taught.max() for taught in machine.lessons)
    assert {(taught.max() + 1) % 20 for taught in machine.lessons} == {0}  # never in the middle of those to decide on


def test_half_are_forgotten_after_the_half_life() -> None:
    lifetimes = Arrivals(half_life=50).lifetimes(4000, np.random.default_rng(0))
    assert (lifetimes > 50).mean() == pytest.approx(0.5, abs=0.03)
    assert (Arrivals(half_life=50, window=70).lifetimes(4000, np.random.default_rng(0)) <= 70).all()
    assert np.isinf(Arrivals().lifetimes(3, np.random.default_rng(0))).all()


def test_the_cost_falls_as_the_classifier_learns() -> None:
    done = replay_stream(POLICY, VOTES, GOLD, IncrementalClassifier(X), Arrivals(check_share=0))
    votes = [part.mean() for part in np.array_split(done.votes[np.argsort(done.position)], 4)]
    assert votes[3] < votes[0] / 2
    assert done.by_part()[3] < done.by_part()[0]


def test_a_drift_is_noticed_and_got_over() -> None:
    """Swap the two classes, and votes with them, from the middle on: the classifier must learn again."""
    late = np.arange(400) >= 200
    gold = np.where(late, 1 - GOLD, GOLD)
    label = np.where(late[VOTES.task], 1 - VOTES.label, VOTES.label)
    votes = Votes.from_arrays(VOTES.task, VOTES.worker, label, n_classes=2)
    options = {"recorded": True, "check_share": 0.5, "patience": 300}
    watched = replay_stream(POLICY, votes, gold, IncrementalClassifier(X), Arrivals(**options))  # type: ignore[arg-type]
    blind = replay_stream(POLICY, votes, gold, IncrementalClassifier(X), Arrivals(watch=False, **options))  # type: ignore[arg-type]
    assert len(watched.alarms) == 1
    assert 200 < watched.alarms[0] < 300
    assert blind.alarms == ()
    assert watched.loss[:200].tolist() == blind.loss[:200].tolist()  # nothing is different before it
    assert watched.loss[300:].mean() < blind.loss[300:].mean()
    assert replay_stream(POLICY, VOTES, GOLD, IncrementalClassifier(X), Arrivals(**options)).alarms == ()  # type: ignore[arg-type]


def test_experts_and_known_gold() -> None:
    policy = ExpectedLoss(costs=Costs.of_error(50, 2), prices=Prices(votes={"expert": 3.0}))
    known_gold = np.where(np.arange(400) < 50, GOLD, -1)
    done = replay_stream(policy, VOTES, GOLD, FixedClassifier(np.full((400, 2), 0.5)), known_gold=known_gold)
    assert not done.asked_expert[:50].any()
    assert done.asked_expert[50:].all()
    assert not done.wrong.any()
    assert done.spent.sum() == 3 * 350


def test_labels_that_teach_are_worth_more_where_more_is_to_come() -> None:
    """Use a classifier that learns, and a cost of errors at which few tasks ask for their own sake."""
    policy = ExpectedLoss(costs=Costs.of_error(3, 2))
    few, many = (
        replay_stream(
            policy, VOTES, GOLD, IncrementalClassifier(X), Arrivals(learning=True, horizon=horizon), growth=1.1
        )
        for horizon in (1, 100_000)
    )
    assert (many.votes > 0).sum() > (few.votes > 0).sum()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rate": 0}, "rate must be at least 1"),
        ({"window": -1}, "window must be zero or more"),
        ({"half_life": np.inf}, "half_life must be zero or more and finite"),
        ({"check_share": 2}, "check_share must be from 0 to 1"),
    ],
)
def test_invalid_options_are_refused(options: Any, message: str) -> None:
    with pytest.raises(MethodError, match=message):
        Arrivals(**options)


def test_former_names_are_accepted_with_a_warning() -> None:
    policy = FixedVotes(costs=Costs.of_error(20, 2), n=1)
    with pytest.warns(FutureWarning, match="'known' is called 'known_gold'"):
        outcome = replay_stream(policy, VOTES, GOLD, known=GOLD)  # type: ignore[call-arg]
    assert not outcome.wrong.any()
    with pytest.warns(FutureWarning, match="'place' of StreamOutcome is called 'position'"):
        assert outcome.place.tolist() == outcome.position.tolist()
