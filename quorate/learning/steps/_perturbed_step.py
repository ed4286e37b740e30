"""An update with the gradient at perturbed weights, shared by SAM and its variants."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn
from torch.nn.modules.batchnorm import _BatchNorm
from torch.optim import Optimizer

Perturb = Callable[[list[Tensor], list[Tensor]], list[Tensor]]  # (weights, gradients) -> perturbations


def step_at_perturbed_weights(
    compute: Callable[[], tuple[Tensor, Tensor]], optimiser: Optimizer, perturb: Perturb
) -> tuple[Tensor, Tensor]:
    """Perturb the weights, compute the gradient there, restore the weights, and update them with that gradient.

    Return the loss and the log-probabilities at the unperturbed weights.

    Args:
        compute: returns the loss and the log-probabilities of a batch; if it is a partial of the network, as in
            `train`, the second pass leaves the running statistics of batch norm unchanged.
        optimiser: makes the update.
        perturb: returns the perturbation of each weight.
    """
    optimiser.zero_grad()
    loss, log_probs = compute()
    loss.backward()
    weights = [weight for group in optimiser.param_groups for weight in group["params"] if weight.grad is not None]
    with torch.no_grad():
        before = [weight.clone() for weight in weights]
        for weight, perturbation in zip(weights, perturb(weights, [weight.grad for weight in weights]), strict=True):
            weight.add_(perturbation)
    optimiser.zero_grad()
    with freeze_running_stats(getattr(compute, "func", None)):
        compute()[0].backward()
    with torch.no_grad():
        for weight, original in zip(weights, before, strict=True):
            weight.copy_(original)
    optimiser.step()
    return loss, log_probs


@contextmanager
def freeze_running_stats(network: object) -> Iterator[None]:
    """Keep the running statistics of batch norm unchanged within the context; batches are normalised as usual."""
    modules = list(network.modules()) if isinstance(network, nn.Module) else []
    norms = [module for module in modules if isinstance(module, _BatchNorm) and module.track_running_stats]
    for norm in norms:
        norm.track_running_stats = False
    try:
        yield
    finally:
        for norm in norms:
            norm.track_running_stats = True
