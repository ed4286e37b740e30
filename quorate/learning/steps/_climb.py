"""Two gradients, one move: the gradient that moves the weights is taken elsewhere than where they are."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn
from torch.nn.modules.batchnorm import _BatchNorm
from torch.optim import Optimizer

Climb = Callable[[list[Tensor], list[Tensor]], list[Tensor]]  # (weights, gradients) -> how far each weight climbs


def take_at_summit(
    compute: Callable[[], tuple[Tensor, Tensor]], optimiser: Optimizer, climb: Climb
) -> tuple[Tensor, Tensor]:
    """Climb, take the gradient there, come back, and let the optimiser move by that gradient.

    compute: a partial of the network, as `train` has it; what batch norm sees at the summit then leaves no trace.
    """
    optimiser.zero_grad()
    loss, log_probs = compute()
    loss.backward()
    weights = [weight for group in optimiser.param_groups for weight in group["params"] if weight.grad is not None]
    with torch.no_grad():
        before = [weight.clone() for weight in weights]
        for weight, move in zip(weights, climb(weights, [weight.grad for weight in weights]), strict=True):
            weight.add_(move)
    optimiser.zero_grad()
    with averages_kept(getattr(compute, "func", None)):
        compute()[0].backward()
    with torch.no_grad():
        for weight, place in zip(weights, before, strict=True):
            weight.copy_(place)
    optimiser.step()
    return loss, log_probs


@contextmanager
def averages_kept(network: object) -> Iterator[None]:
    """Inside, batch norm goes by each batch as ever, but its moving averages stay as they are."""
    parts = list(network.modules()) if isinstance(network, nn.Module) else []
    moving = [part for part in parts if isinstance(part, _BatchNorm) and part.track_running_stats]
    for part in moving:
        part.track_running_stats = False
    try:
        yield
    finally:
        for part in moving:
            part.track_running_stats = True
