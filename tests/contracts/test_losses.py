"""Losses against numbers worked by hand, and against scipy."""

from math import log as ln
from typing import Any

import numpy as np
import pytest
import torch
from scipy.spatial.distance import jensenshannon
from scipy.special import rel_entr

from quorate import registry
from quorate.errors import MethodError
from quorate.learning.losses.class_balanced_focal import ClassBalancedFocal
from quorate.learning.losses.cross_entropy import CrossEntropy
from quorate.learning.losses.focal import Focal
from quorate.learning.losses.inverse_kl import InverseKl
from quorate.learning.losses.jensen_shannon import JensenShannon
from quorate.learning.losses.kl import Kl

LOSSES = [registry.method("learning.losses", name) for name in registry.names("learning.losses")]
P, Q = np.array([[0.7, 0.2, 0.1], [0.05, 0.9, 0.05]]), np.array([[0.5, 0.3, 0.2], [0.1, 0.2, 0.7]])


def value(loss: Any, targets: Any, probs: Any, counts: Any = (1.0, 1.0, 1.0)) -> Any:
    criterion = loss.build(np.asarray(counts)[: np.shape(targets)[1]])
    return criterion(torch.log(torch.tensor(probs, dtype=torch.float64)), torch.tensor(targets)).numpy()


def test_cross_entropy_by_hand() -> None:
    assert value(CrossEntropy(), [[0.25, 0.75]], [[0.5, 0.5]]) == pytest.approx([ln(2)])
    assert value(CrossEntropy(), P, Q)[0] == pytest.approx(-(0.7 * ln(0.5) + 0.2 * ln(0.3) + 0.1 * ln(0.2)))


def test_divergences_against_scipy() -> None:
    assert value(Kl(), P, Q) == pytest.approx(rel_entr(P, Q).sum(axis=1))
    assert value(InverseKl(), P, Q) == pytest.approx(rel_entr(Q, P).sum(axis=1))
    assert value(JensenShannon(), P, Q) == pytest.approx(jensenshannon(P, Q, axis=1) ** 2)


def test_a_divergence_is_zero_where_both_agree_and_above_elsewhere() -> None:
    for loss in (Kl(), InverseKl(), JensenShannon()):
        assert value(loss, P, P) == pytest.approx([0, 0], abs=1e-12)
        assert np.all(value(loss, P, Q) > 0.01)


def test_jensen_shannon_is_symmetric_and_at_most_log_2() -> None:
    assert value(JensenShannon(), P, Q) == pytest.approx(value(JensenShannon(), Q, P))
    assert value(JensenShannon(), [[1.0, 0.0]], [[1e-12, 1.0]])[0] == pytest.approx(ln(2), abs=1e-6)


def test_focal_by_hand() -> None:
    """(1 - .8)^2 * -log .8 for a hard target, each class with its own factor for a soft one."""
    assert value(Focal(gamma=2.0), [[1.0, 0.0]], [[0.8, 0.2]]) == pytest.approx([-0.04 * ln(0.8)])
    soft = -0.75 * 0.2**2 * ln(0.8) - 0.25 * 0.8**2 * ln(0.2)
    assert value(Focal(gamma=2.0), [[0.75, 0.25]], [[0.8, 0.2]]) == pytest.approx([soft])


def test_focal_without_gamma_is_cross_entropy() -> None:
    assert value(Focal(gamma=0.0), P, Q) == pytest.approx(value(CrossEntropy(), P, Q))


def test_class_balanced_weights_by_hand() -> None:
    """beta = .5, counts 1 and 2: effective numbers 1 and 1.5, weights 1 and 2/3, over their mean 5/6: 1.2 and .8."""
    loss = ClassBalancedFocal(beta=0.5, gamma=0.0)
    assert loss.class_weights(np.array([1.0, 2.0])) == pytest.approx([1.2, 0.8])
    assert value(loss, [[0.0, 1.0], [1.0, 0.0]], [[0.5, 0.5]] * 2, [1, 2]) == pytest.approx([0.8 * ln(2), 1.2 * ln(2)])
    assert loss.class_weights(np.array([0.0, 2.0])) == pytest.approx([1.2, 0.8])  # none counts as one
    assert ClassBalancedFocal(beta=0.0).class_weights(np.array([1.0, 50.0])) == pytest.approx([1, 1])
    assert np.isfinite(ClassBalancedFocal().class_weights(np.array([0.0, 1e7]))).all()


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


def test_refuses_options_that_make_no_sense() -> None:
    for make in (
        lambda: Focal(gamma=-1.0),
        lambda: ClassBalancedFocal(beta=1.0),
        lambda: ClassBalancedFocal(beta=-0.1),
    ):
        with pytest.raises(MethodError):
            make()
    with pytest.raises(MethodError, match="class counts"):
        ClassBalancedFocal().build(None)
