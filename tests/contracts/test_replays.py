"""A machine in a replay is started once; whether the votes teach it is asked of `learns`, never of `start`."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from quorate import Costs, Votes, simulate_votes
from quorate.decision.base import TAUGHT
from quorate.decision.policies.expected_loss import ExpectedLoss
from quorate.replay.budget import replay_budget
from quorate.replay.classifiers import Classifier, FixedClassifier, IncrementalClassifier, predictions_by_name
from quorate.replay.pool import replay
from quorate.replay.stream import Arrivals, replay_stream
from quorate.typing import Array, Gold

CROWD = simulate_votes(n_tasks=150, votes_per_task=5, seed=3)
POLICY = ExpectedLoss(costs=Costs.of_error(50, 2))
EVEN = np.full((150, 2), 0.5)


@dataclass
class Counting:
    """Counts how often it is started and taught. first: what it says before any vote."""

    learns: bool
    first: Array | None = None
    starts: int = 0
    lessons: int = 0

    def start(self) -> Array | None:
        self.starts += 1
        return self.first

    def learn(self, votes: Votes, probs: Array, gold: Gold) -> Array:
        self.lessons += 1
        return EVEN


def by_replay(machine: Classifier) -> None:
    replay(POLICY, CROWD.votes, CROWD.gold, machine)


def by_budget(machine: Classifier) -> None:
    replay_budget(POLICY, CROWD.votes, CROWD.gold, machine, budget=400)


def by_stream(machine: Classifier) -> None:
    replay_stream(POLICY, CROWD.votes, CROWD.gold, machine, Arrivals(rate=10, check_share=0, watch=False))


@pytest.mark.parametrize("run", [by_replay, by_budget, by_stream])
@pytest.mark.parametrize("first", [None, EVEN], ids=["knows nothing", "knows something"])
def test_a_replay_starts_its_machine_once(run: Callable[[Classifier], None], first: Array | None) -> None:
    machine = Counting(learns=True, first=first)
    run(machine)
    assert machine.starts == 1
    assert machine.lessons >= 3


@pytest.mark.parametrize("first", [None, EVEN], ids=["knows nothing", "knows something"])
def test_the_name_of_a_machine_goes_by_whether_it_learns(first: Array | None) -> None:
    pupil, fixed = Counting(learns=True, first=first), Counting(learns=False, first=first)
    assert list(predictions_by_name(pupil, EVEN)) == [TAUGHT]
    assert list(predictions_by_name(fixed, EVEN)) == ["given"]
    assert (pupil.starts, fixed.starts) == (0, 0)
    assert predictions_by_name(pupil, None) == {}


def test_which_machines_learn() -> None:
    assert IncrementalClassifier(np.zeros((10, 1))).learns
    assert not FixedClassifier(EVEN).learns
