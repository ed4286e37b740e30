from functools import partial
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from quorate.errors import MethodError
from quorate.learning.steps.adaptive_sam import AdaptiveSam
from quorate.learning.steps.plain import Plain
from quorate.learning.steps.sam import Sam
from tests.learning.steps.quadratic import quadratic


@pytest.mark.parametrize("step", [Sam(), AdaptiveSam()], ids=str)
def test_no_slope_is_no_trouble(step: Any) -> None:
    """At the bottom there is nowhere to perturb; weights that the loss does not reach stay."""
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
