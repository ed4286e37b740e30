"""Targets by hand; and which of them teach the same."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
import torch

from quorate import Votes, aggregate, registry
from quorate.data.posterior import Posterior
from quorate.errors import MethodError
from quorate.learning.heads.plain import Plain
from quorate.learning.learners.linear import Linear
from quorate.learning.learners.network import Network
from quorate.learning.losses.cross_entropy import CrossEntropy
from quorate.learning.targets.base import Targets
from quorate.learning.targets.hard import Hard
from quorate.learning.targets.smoothed import Smoothed
from quorate.learning.targets.soft import Soft
from quorate.learning.targets.soft_hard import SoftHard
from quorate.learning.targets.stacked import Stacked
from quorate.learning.training.examples import Examples
from quorate.learning.training.recipe import Recipe
from quorate.learning.training.rows import DenseRows
from tests.contracts.test_heads import heads_for
from tests.learning.tiny import tiny

TARGETS = [registry.method("learning.targets", name) for name in registry.names("learning.targets")]
VOTES = Votes.from_matrix([[0, 0, 1, 2], [1, 1, 1, -1], [-1, -1, -1, -1]], classes=[0, 1, 2])


def posterior() -> Posterior:
    return aggregate(VOTES, "naive_soft")


def test_by_hand() -> None:
    """Shares are (.5, .25, .25) and (0, 1, 0); the third task has no votes and is not taught."""
    made = {type(target).__name__: target.make(VOTES, posterior()) for target in TARGETS}
    assert made["Soft"].probs.tolist() == [[0.5, 0.25, 0.25], [0, 1, 0]]
    assert made["Hard"].probs.tolist() == made["SoftHard"].probs.tolist() == [[1, 0, 0], [0, 1, 0]]
    assert made["SoftHard"].weight.tolist() == [0.5, 1.0]
    assert made["Stacked"].probs.argmax(axis=1).tolist() == [0, 0, 1, 2, 1, 1, 1]
    assert made["Stacked"].task.tolist() == [0, 0, 0, 0, 1, 1, 1]
    for name in ("Soft", "Hard", "SoftHard", "Smoothed"):
        assert made[name].task.tolist() == [0, 1]


def test_smoothing_both_ways_by_hand() -> None:
    over_all = Smoothed(alpha=0.3).make(VOTES, posterior()).probs
    assert over_all == pytest.approx(np.array([[0.8, 0.1, 0.1], [0.1, 0.8, 0.1]]))  # 1 - .3 + .3 / 3
    others = Smoothed(alpha=0.3, over="others").make(VOTES, posterior()).probs
    assert others == pytest.approx(np.array([[0.7, 0.15, 0.15], [0.15, 0.7, 0.15]]))  # .3 / 2 for each other
    assert Smoothed(alpha=0.0).make(VOTES, posterior()).probs.tolist() == Hard().make(VOTES, posterior()).probs.tolist()


@pytest.mark.parametrize("target", [*TARGETS, Smoothed(alpha=0.2, over="others")], ids=str)
def test_rows_sum_to_one(target: Any) -> None:
    _, votes, fused = tiny()
    made = target.make(votes, fused)
    assert made.probs.sum(axis=1) == pytest.approx(np.ones(len(made.task)))
    assert len(made.weight) == len(made.probs) == len(made.task)
    assert set(made.task.tolist()) == set(range(28))


def test_gold_is_taught_without_votes() -> None:
    gold = np.array([-1, -1, 2])
    targets = Soft().make(VOTES, aggregate(VOTES, "dawid_skene", gold=gold))
    assert targets.task.tolist() == [0, 1, 2]
    assert targets.probs[2].tolist() == [0, 0, 1]


def test_where_all_is_of_one_class_tasks_without_votes_are_not_taken_for_certain() -> None:
    votes = Votes.from_arrays([0, 1], [0, 0], [1, 1], n_classes=2, n_tasks=4)
    assert Soft().make(votes, aggregate(votes, "naive_soft")).task.tolist() == [0, 1]


@dataclass(frozen=True)
class WeightedHard:
    """Hard targets, with the weights spelt out."""

    def make(self, votes: Votes, posterior: Posterior) -> Targets:
        hard = Hard().make(votes, posterior)
        return replace(hard, weight=posterior.probs.max(axis=1)[hard.task])


@pytest.mark.parametrize("mixup", [0.0, 0.5])
def test_soft_hard_is_hard_with_weights(mixup: float) -> None:
    x, votes, fused = tiny(method="naive_soft")
    recipe = Recipe(epochs=3, batch_size=8, mixup=mixup)
    soft_hard = Network(target=SoftHard(), recipe=recipe).fit(x, votes, fused).predict_proba(x)
    weighted: Any = WeightedHard()
    assert np.array_equal(Network(target=weighted, recipe=recipe).fit(x, votes, fused).predict_proba(x), soft_hard)
    hard = Network(target=Hard(), recipe=recipe).fit(x, votes, fused).predict_proba(x)
    assert not np.allclose(hard, soft_hard, atol=1e-4)


def test_soft_hard_is_equation_6() -> None:
    """The loss is - P(best) log Q(best): the target is the weight of the most likely label, and zero elsewhere."""
    rows = DenseRows(torch.zeros(3, 1))
    batch = Examples.of(rows, VOTES, SoftHard().make(VOTES, posterior())).batch(torch.tensor([0, 1]))
    layers: Any = heads_for(Plain(), size=1, n_classes=3)
    loss, log_probs = layers(batch.x, batch, CrossEntropy().build(None))
    said = log_probs.detach().numpy()
    assert loss.item() == pytest.approx(-(0.5 * said[0, 0] + 1.0 * said[1, 1]) / 2)


def test_stacked_votes_teach_what_weighted_shares_do() -> None:
    """By cross-entropy on a full batch, up to the number of rows that the mean is taken over."""
    x, votes, fused = tiny(method="naive_soft")
    rows = DenseRows(torch.tensor(x, dtype=torch.float32))
    layers: Any = heads_for(Plain(), size=4, n_classes=3)
    shares = Soft().make(votes, fused)
    shares = replace(shares, weight=votes.votes_per_task[shares.task].astype(float))
    slopes = []
    for targets in (Stacked().make(votes, fused), shares):
        examples = Examples.of(rows, votes, targets)
        batch = examples.batch(torch.arange(len(examples)))
        loss = layers(batch.x, batch, CrossEntropy().build(None))[0] * len(examples)
        slopes.append(torch.autograd.grad(loss, layers.scores.weight)[0].numpy())
    assert slopes[0] == pytest.approx(slopes[1], abs=1e-4)
    assert np.abs(slopes[0]).max() > 1


def test_stacked_votes_fit_what_weighted_shares_fit() -> None:
    """The same for softmax regression, to its end; l2 is per row, and there are four times as many."""

    @dataclass(frozen=True)
    class Shares:
        def make(self, votes: Votes, posterior: Posterior) -> Targets:
            soft = Soft().make(votes, posterior)
            return replace(soft, weight=votes.votes_per_task[soft.task] / 4)

    x, votes, fused = tiny(method="naive_soft")
    stacked = Linear(target=Stacked(), tol=1e-8).fit(x, votes, fused).predict_proba(x)
    assert Linear(target=Shares(), tol=1e-8).fit(x, votes, fused).predict_proba(x) == pytest.approx(stacked, abs=1e-4)


def test_refuses_options_that_make_no_sense() -> None:
    for options in ({"alpha": 1.0}, {"alpha": -0.1}, {"over": "x"}):
        with pytest.raises(MethodError):
            Smoothed(**options)
