"""Two gradients, one move: the gradient that moves the weights is taken elsewhere than where they are."""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.optim import Optimizer

Climb = Callable[[list[Tensor], list[Tensor]], list[Tensor]]  # (weights, gradients) -> how far each weight climbs


def take_at_summit(
    compute: Callable[[], tuple[Tensor, Tensor]], optimiser: Optimizer, climb: Climb
) -> tuple[Tensor, Tensor]:
    """Climb, take the gradient there, come back, and let the optimiser move by that gradient."""
    optimiser.zero_grad()
    loss, log_probs = compute()
    loss.backward()
    weights = [weight for group in optimiser.param_groups for weight in group["params"] if weight.grad is not None]
    with torch.no_grad():
        before = [weight.clone() for weight in weights]
        for weight, move in zip(weights, climb(weights, [weight.grad for weight in weights]), strict=True):
            weight.add_(move)
    optimiser.zero_grad()
    compute()[0].backward()
    with torch.no_grad():
        for weight, place in zip(weights, before, strict=True):
            weight.copy_(place)
    optimiser.step()
    return loss, log_probs
