from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
import torch

from quorate import Votes
from quorate.data.posterior import Posterior
from quorate.learning.heads.plain import Plain
from quorate.learning.learners.network import Network
from quorate.learning.losses.cross_entropy import CrossEntropy
from quorate.learning.targets.base import Targets
from quorate.learning.targets.hard import Hard
from quorate.learning.targets.soft_hard import SoftHard
from quorate.learning.training.examples import Examples
from quorate.learning.training.recipe import Recipe
from quorate.learning.training.rows import DenseRows
from tests.learning.targets.shares import VOTES, posterior
from tests.learning.tiny import heads_for, tiny


@dataclass(frozen=True)
class WeightedHard:
    """Hard targets with explicit weights."""

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
    """Check the loss - P(best) log Q(best), with a target that is zero for all other classes."""
    rows = DenseRows(torch.zeros(3, 1))
    batch = Examples.of(rows, VOTES, SoftHard().make(VOTES, posterior())).batch(torch.tensor([0, 1]))
    layers: Any = heads_for(Plain(), size=1, n_classes=3)
    loss, log_probs = layers(batch.x, batch, CrossEntropy().build(None))
    values = log_probs.detach().numpy()
    assert loss.item() == pytest.approx(-(0.5 * values[0, 0] + 1.0 * values[1, 1]) / 2)
