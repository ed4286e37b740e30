"""What every loss promises: finite gradients, and the target as its end where the loss is proper."""

from typing import Any

import numpy as np
import pytest
import torch

from quorate import registry
from quorate.learning.losses.cross_entropy import CrossEntropy
from quorate.learning.losses.focal import Focal
from quorate.learning.losses.inverse_kl import InverseKl
from quorate.learning.losses.jensen_shannon import JensenShannon
from quorate.learning.losses.kl import Kl
from tests.learning.losses.values import P, Q, value

LOSSES = [registry.method("learning.losses", name) for name in registry.names("learning.losses")]


def test_a_divergence_is_zero_where_both_agree_and_above_elsewhere() -> None:
    for loss in (Kl(), InverseKl(), JensenShannon()):
        assert value(loss, P, P) == pytest.approx([0, 0], abs=1e-12)
        assert np.all(value(loss, P, Q) > 0.01)


@pytest.mark.parametrize("loss", [*LOSSES, Focal(gamma=0.5)], ids=str)
def test_gradients_are_finite_at_the_edges(loss: Any) -> None:
    """Predictions of (almost) zero and one, targets with zeros and ones, in the precision that networks have."""
    scores = torch.tensor([[200.0, -200.0, 0.0], [-1e4, 1e4, 0.0], [0.0, 0.0, 0.0]], requires_grad=True)
    for target in ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.5, 0.5], [1 / 3, 1 / 3, 1 / 3]):
        criterion = loss.build(np.array([5.0, 1.0, 0.0]))
        losses = criterion(torch.log_softmax(scores, dim=1), torch.tensor([target] * 3))
        assert losses.shape == (3,)
        assert torch.isfinite(losses).all()
        assert torch.isfinite(torch.autograd.grad(losses.sum(), scores)[0]).all()


@pytest.mark.parametrize("loss", [CrossEntropy(), Kl(), InverseKl(), JensenShannon()], ids=str)
def test_going_down_ends_at_the_target(loss: Any) -> None:
    """A proper loss is least where the prediction is the target; focal losses are not proper."""
    scores = torch.zeros(1, 3, requires_grad=True)
    target, criterion = torch.tensor(P[:1], dtype=torch.float32), loss.build(None)
    for _ in range(300):
        slope = torch.autograd.grad(criterion(torch.log_softmax(scores, dim=1), target).sum(), scores)[0]
        scores = (scores - 2.0 * slope).detach().requires_grad_()
    assert torch.softmax(scores, dim=1).detach().numpy() == pytest.approx(P[:1], abs=1e-3)
