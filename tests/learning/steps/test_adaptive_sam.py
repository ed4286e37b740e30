from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from quorate.learning.steps.adaptive_sam import AdaptiveSam
from quorate.learning.steps.sam import Sam
from tests.learning.steps.quadratic import quadratic


def test_adaptive_sam_by_hand() -> None:
    """Check sizes (3, 1), scaled gradient (9, 4) of length 9.849, perturbation .5 * (27, 4) / 9.849."""
    weight, seen = torch.tensor([3.0, 1.0], requires_grad=True), list[list[float]]()
    AdaptiveSam(rho=0.5, eta=0.0).take(quadratic(weight, seen), torch.optim.SGD([weight], lr=0.1))
    perturbed = np.array([3 + 0.5 * 27 / 97**0.5, 1 + 0.5 * 4 / 97**0.5])
    assert seen[1] == pytest.approx(perturbed)
    assert weight.tolist() == pytest.approx([3 - 0.1 * perturbed[0], 1 - 0.4 * perturbed[1]])


def two_layers(a: float, b: float, step: Any) -> tuple[float, float]:
    """Return the loss (a b - 1)^2 at the original and the perturbed weights; it depends on a b only."""
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
