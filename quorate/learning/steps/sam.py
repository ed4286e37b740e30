"""Sharpness-aware minimisation."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.optim import Optimizer

from quorate.data.option_checks import require_numbers
from quorate.learning.steps._perturbed_step import step_at_perturbed_weights


@dataclass(frozen=True, kw_only=True)
class Sam:
    """Perturb the weights to the worst point within `rho`, and update the original weights with the gradient there.

    It finds flat minima, where the loss stays low under small changes of the weights. Every batch is computed twice;
    dropout may draw another mask the second time, and the running statistics of batch norm use the first pass only.
    Paper: Foret et al., "Sharpness-aware minimization for efficiently improving generalization", 2021.
    """

    rho: float = 0.05

    def __post_init__(self) -> None:
        require_numbers(self, "rho", above=0)

    def take(self, compute: Callable[[], tuple[Tensor, Tensor]], optimiser: Optimizer) -> tuple[Tensor, Tensor]:
        """Update the weights; return the loss and the log-probabilities at the unperturbed weights."""

        def perturb(weights: list[Tensor], gradients: list[Tensor]) -> list[Tensor]:
            length = torch.norm(torch.stack([gradient.norm() for gradient in gradients]))
            return [self.rho / (length + 1e-12) * gradient for gradient in gradients]

        return step_at_perturbed_weights(compute, optimiser, perturb)
