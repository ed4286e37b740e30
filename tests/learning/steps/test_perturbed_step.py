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
def test_a_zero_gradient_leaves_the_weights_unchanged(step: Any) -> None:
    """Start at the minimum, with a weight that the loss does not depend on."""
    weight, idle = torch.zeros(2, requires_grad=True), torch.ones(2, requires_grad=True)
    step.take(quadratic(weight, []), torch.optim.SGD([weight, idle], lr=0.1))
    assert weight.tolist() == [0.0, 0.0]
    assert idle.tolist() == [1.0, 1.0]


@pytest.mark.parametrize("step", [Sam(rho=5.0), AdaptiveSam(rho=5.0)], ids=str)
def test_batch_norm_averages_the_first_pass_only(step: Any) -> None:
    """Check that a step of SAM updates the running statistics like a plain step."""
    averages = []
    for variant in (Plain(), step):
        torch.manual_seed(0)
        layers = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
        x = torch.randn(8, 2)
        variant.take(partial(Squared(layers), x), torch.optim.SGD(layers.parameters(), lr=0.1))
        averages.append({name: value.clone() for name, value in layers.named_buffers()})
        assert layers[1].track_running_stats
    assert averages[0]["1.num_batches_tracked"].item() == 1
    assert all(torch.equal(averages[0][name], averages[1][name]) for name in averages[0])


class Squared(nn.Module):
    """Mean squared difference between the weighted outputs of layers and the first input."""

    def __init__(self, layers: nn.Module) -> None:
        super().__init__()
        self.layers = layers

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        outputs = self.layers(x)
        return (outputs * torch.arange(3.0) - x[:, :1]).square().mean(), outputs.detach()


def test_a_rho_of_zero_is_rejected() -> None:
    for step in (Sam, AdaptiveSam):
        with pytest.raises(MethodError, match="rho"):
            step(rho=0.0)
