"""Steps by hand, on a loss whose gradients are known."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from quorate.errors import MethodError
from quorate.learning.bases.mlp import Mlp
from quorate.learning.learners.network import Network
from quorate.learning.steps.adaptive_sam import AdaptiveSam
from quorate.learning.steps.plain import Plain
from quorate.learning.steps.sam import Sam
from quorate.learning.training.recipe import Recipe
from tests.learning.tiny import tiny

CURVE = torch.tensor([1.0, 4.0])


def quadratic(weight: Tensor, seen: list[list[float]]) -> Callable[[], tuple[Tensor, Tensor]]:
    """The loss (w0^2 + 4 w1^2) / 2, whose gradient is (w0, 4 w1); takes down where it was asked."""

    def compute() -> tuple[Tensor, Tensor]:
        seen.append(weight.detach().tolist())
        return 0.5 * (CURVE * weight**2).sum(), weight.detach().clone()

    return compute


def test_plain_by_hand() -> None:
    weight, seen = torch.tensor([3.0, 1.0], requires_grad=True), list[list[float]]()
    loss, said = Plain().take(quadratic(weight, seen), torch.optim.SGD([weight], lr=0.1))
    assert weight.tolist() == pytest.approx([3 - 0.3, 1 - 0.4])
    assert (loss.item(), said.tolist(), len(seen)) == (6.5, [3.0, 1.0], 1)


def test_sam_by_hand() -> None:
    """From w = (3, 1) the gradient is (3, 4), of length 5; with rho = .5 the summit is (3.3, 1.4).

    There the gradient is (3.3, 5.6), and a step of .1 from (3, 1) ends at (2.67, .44).
    """
    weight, seen = torch.tensor([3.0, 1.0], requires_grad=True), list[list[float]]()
    loss, said = Sam(rho=0.5).take(quadratic(weight, seen), torch.optim.SGD([weight], lr=0.1))
    assert np.array(seen) == pytest.approx(np.array([[3.0, 1.0], [3.3, 1.4]]))
    assert weight.tolist() == pytest.approx([2.67, 0.44])
    assert (loss.item(), said.tolist()) == (6.5, [3.0, 1.0])  # what was said before the climb


def test_adaptive_sam_by_hand() -> None:
    """Sizes (3, 1), scaled gradient (9, 4) of length 9.849: weights climb by .5 * (27, 4) / 9.849."""
    weight, seen = torch.tensor([3.0, 1.0], requires_grad=True), list[list[float]]()
    AdaptiveSam(rho=0.5, eta=0.0).take(quadratic(weight, seen), torch.optim.SGD([weight], lr=0.1))
    summit = np.array([3 + 0.5 * 27 / 97**0.5, 1 + 0.5 * 4 / 97**0.5])
    assert seen[1] == pytest.approx(summit)
    assert weight.tolist() == pytest.approx([3 - 0.1 * summit[0], 1 - 0.4 * summit[1]])


def two_layers(a: float, b: float, step: Any) -> tuple[float, float]:
    """The loss at the summit of (a b - 1)^2: only the product of the two weights counts."""
    weights = [torch.tensor([a], requires_grad=True), torch.tensor([b], requires_grad=True)]
    losses = []

    def compute() -> tuple[Tensor, Tensor]:
        losses.append(((weights[0] * weights[1] - 1) ** 2).sum())
        return losses[-1], weights[0].detach()

    step.take(compute, torch.optim.SGD(weights, lr=0.1))
    return losses[0].item(), losses[1].item()


def test_adaptive_sam_does_not_depend_on_the_scale_of_layers() -> None:
    plain, scaled = (two_layers(*weights, AdaptiveSam(eta=0.0)) for weights in ((2.0, 1.5), (20.0, 0.15)))
    assert plain == pytest.approx(scaled, rel=1e-4)
    plain, scaled = (two_layers(*weights, Sam(rho=0.5)) for weights in ((2.0, 1.5), (20.0, 0.15)))
    assert scaled[1] > 2 * plain[1]


@pytest.mark.parametrize("step", [Plain(), Sam(), AdaptiveSam()], ids=str)
def test_the_optimiser_moves_once(step: Any) -> None:
    weight = torch.tensor([3.0, 1.0], requires_grad=True)
    adam = torch.optim.Adam([weight], lr=0.1)
    for moves in (1, 2):
        step.take(quadratic(weight, []), adam)
        assert adam.state[weight]["step"].item() == moves


def test_momentum_is_of_the_gradient_at_the_summit() -> None:
    weight = torch.tensor([3.0, 1.0], requires_grad=True)
    optimiser = torch.optim.SGD([weight], lr=0.1, momentum=0.9)
    Sam(rho=0.5).take(quadratic(weight, []), optimiser)
    assert optimiser.state[weight]["momentum_buffer"].tolist() == pytest.approx([3.3, 5.6])


@pytest.mark.parametrize("step", [Sam(), AdaptiveSam()], ids=str)
def test_no_slope_is_no_trouble(step: Any) -> None:
    """At the bottom there is nowhere to climb; weights that the loss does not reach stay."""
    weight, idle = torch.zeros(2, requires_grad=True), torch.ones(2, requires_grad=True)
    step.take(quadratic(weight, []), torch.optim.SGD([weight, idle], lr=0.1))
    assert weight.tolist() == [0.0, 0.0]
    assert idle.tolist() == [1.0, 1.0]


@pytest.mark.parametrize("step", [Sam(rho=5.0), AdaptiveSam(rho=5.0)], ids=str)
def test_batch_norm_averages_what_was_seen_before_the_climb(step: Any) -> None:
    """One step of SAM leaves the moving averages where a plain step does; the gradient still goes by the batch."""
    averages = []
    for one in (Plain(), step):
        torch.manual_seed(0)
        layers = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
        x = torch.randn(8, 2)
        one.take(partial(Squared(layers), x), torch.optim.SGD(layers.parameters(), lr=0.1))
        averages.append({name: value.clone() for name, value in layers.named_buffers()})
        assert layers[1].track_running_stats
    assert averages[0]["1.num_batches_tracked"].item() == 1
    assert all(torch.equal(averages[0][name], averages[1][name]) for name in averages[0])


def test_training_by_sam_counts_each_batch_once() -> None:
    x, votes, posterior = tiny()
    network = Network(base=Mlp(sizes=(4,), batch_norm=True), recipe=Recipe(epochs=3, batch_size=100, step=Sam()))
    state = network.fit(x, votes, posterior).layers_.state_dict()
    assert [value.item() for name, value in state.items() if name.endswith("num_batches_tracked")] == [3]


class Squared(nn.Module):
    """The mean square of what layers say, once it is multiplied by the column it is in."""

    def __init__(self, layers: nn.Module) -> None:
        super().__init__()
        self.layers = layers

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        said = self.layers(x)
        return (said * torch.arange(3.0) - x[:, :1]).square().mean(), said.detach()


def test_refuses_a_rho_of_zero() -> None:
    for step in (Sam, AdaptiveSam):
        with pytest.raises(MethodError, match="rho"):
            step(rho=0.0)
