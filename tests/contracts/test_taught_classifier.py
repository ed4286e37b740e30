"""A classifier that learns from votes never costs more than votes alone, whatever its features are worth.

Worse means: by more than 2%, and by more than two standard errors of the paired difference per task.
"""

from typing import NamedTuple

import numpy as np
import pytest

from quorate.data.costs import Costs
from quorate.decision.policies.expected_loss import ExpectedLoss
from quorate.replay.classifiers import IncrementalClassifier
from quorate.replay.pool import replay
from quorate.simulation.crowd import SimulatedVotes, simulate_votes
from quorate.typing import Array, Gold
from tests.sizes import sized

N_TASKS, SEEDS = 200, range(sized(2, 8))
WEAK = 1.0  # spread of clusters that overlap


class Comparison(NamedTuple):
    """Cost per task with and without a classifier: (n_seeds, n_tasks) each."""

    helped: Array
    alone: Array

    @property
    def ratio(self) -> float:
        return float(self.helped.sum() / self.alone.sum())

    @property
    def is_worse(self) -> bool:
        excess = self.helped - self.alone
        standard_error = excess.std() / np.sqrt(excess.size)
        return self.ratio > 1.02 and bool(excess.mean() > 2 * standard_error)


def crowds_of(class_prior: list[float], votes_per_task: int = 5) -> list[SimulatedVotes]:
    names = [f"class {index}" for index in range(len(class_prior))]
    options = {"n_tasks": N_TASKS, "votes_per_task": votes_per_task, "classes": names, "class_prior": class_prior}
    return [simulate_votes(**options, seed=seed) for seed in SEEDS]  # type: ignore[arg-type]


def clusters(label: Gold, spread: float = 0.35) -> Array:
    """Return ten features: one cluster per label."""
    return np.eye(10)[label] + spread * np.random.default_rng(0).normal(size=(len(label), 10))


def compared(crowds: list[SimulatedVotes], features: list[Array]) -> Comparison:
    """Replay crowds with a classifier that learns from these features, and without one."""
    costs = []
    for seed, (crowd, x) in enumerate(zip(crowds, features, strict=True)):
        policy = ExpectedLoss(costs=Costs.of_error(50, crowd.votes.n_classes))
        machines = (IncrementalClassifier(x), None)
        costs.append([replay(policy, crowd.votes, crowd.gold, machine, seed=seed).loss for machine in machines])
    helped, alone = np.array(costs).transpose(1, 0, 2)
    return Comparison(helped, alone)


@pytest.mark.parametrize("class_prior", [[0.5, 0.5], [0.88, 0.12], [0.4, 0.3, 0.2, 0.1], [0.1] * 10])
def test_shuffled_features_cost_nothing(class_prior: list[float]) -> None:
    crowds = crowds_of(class_prior)
    features = [np.random.default_rng(1).permutation(clusters(crowd.gold)) for crowd in crowds]
    assert not compared(crowds, features).is_worse


def test_a_class_that_the_features_hide() -> None:
    # The features of the rare class are those of the common one: trained on its own labels, the classifier would let
    # the rare class die out.
    crowds = crowds_of([0.5, 0.35, 0.15])
    features = [clusters(np.where(crowd.gold == 2, 0, crowd.gold)) for crowd in crowds]
    assert not compared(crowds, features).is_worse


def test_one_class_of_88_percent() -> None:
    crowds = crowds_of([0.88, 0.12])
    assert not compared(crowds, [clusters(crowd.gold, WEAK) for crowd in crowds]).is_worse
    assert compared(crowds, [clusters(crowd.gold) for crowd in crowds]).ratio < 0.8


def test_ten_classes_with_few_votes() -> None:
    crowds = crowds_of([0.1] * 10, votes_per_task=2)
    assert not compared(crowds, [clusters(crowd.gold, WEAK) for crowd in crowds]).is_worse
    assert compared(crowds, [clusters(crowd.gold) for crowd in crowds]).ratio < 0.8
