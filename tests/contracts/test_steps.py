"""What every step promises: the optimiser moves once."""

from typing import Any

import pytest
import torch

from quorate.learning.steps.adaptive_sam import AdaptiveSam
from quorate.learning.steps.plain import Plain
from quorate.learning.steps.sam import Sam
from tests.learning.steps.quadratic import quadratic


@pytest.mark.parametrize("step", [Plain(), Sam(), AdaptiveSam()], ids=str)
def test_the_optimiser_moves_once(step: Any) -> None:
    weight = torch.tensor([3.0, 1.0], requires_grad=True)
    adam = torch.optim.Adam([weight], lr=0.1)
    for moves in (1, 2):
        step.take(quadratic(weight, []), adam)
        assert adam.state[weight]["step"].item() == moves
