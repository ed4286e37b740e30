from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
import torch

from quorate import Votes
from quorate.data.posterior import Posterior
from quorate.learning.heads.plain import Plain
from quorate.learning.learners.linear import Linear
from quorate.learning.losses.cross_entropy import CrossEntropy
from quorate.learning.targets.base import Targets
from quorate.learning.targets.soft import Soft
from quorate.learning.targets.stacked import Stacked
from quorate.learning.training.examples import Examples
from quorate.learning.training.rows import DenseRows
from tests.learning.tiny import heads_for, tiny


def test_stacked_votes_have_the_gradients_of_weighted_shares() -> None:
    """Compare gradients of the cross-entropy on a full batch, up to the number of rows in the mean."""
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


def test_stacked_votes_give_the_fit_of_weighted_shares() -> None:
    """Compare fits of softmax regression; l2 is per row, and stacked votes have four times as many rows."""

    @dataclass(frozen=True)
    class Shares:
        def make(self, votes: Votes, posterior: Posterior) -> Targets:
            soft = Soft().make(votes, posterior)
            return replace(soft, weight=votes.votes_per_task[soft.task] / 4)

    x, votes, fused = tiny(method="naive_soft")
    stacked = Linear(target=Stacked(), tol=1e-8).fit(x, votes, fused).predict_proba(x)
    assert Linear(target=Shares(), tol=1e-8).fit(x, votes, fused).predict_proba(x) == pytest.approx(stacked, abs=1e-4)
