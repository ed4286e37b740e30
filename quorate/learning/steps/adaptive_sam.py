"""Sharpness-aware minimisation that is invariant to the scale of the weights."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.optim import Optimizer

from quorate.data.option_checks import require_numbers
from quorate.learning.steps._perturbed_step import step_at_perturbed_weights


@dataclass(frozen=True, kw_only=True)
class AdaptiveSam:
    """SAM with perturbations in proportion to the size of each weight, so that scaling a layer has no effect.

    rho: radius of the perturbation. eta: added to the size of each weight, so that zero weights are perturbed too.

    Paper: Kwon et al., "ASAM: Adaptive sharpness-aware minimization for scale-invariant learning", 2021.
    """

    rho: float = 0.5
    eta: float = 0.01

    def __post_init__(self) -> None:
        require_numbers(self, "rho", above=0)

    def take(self, compute: Callable[[], tuple[Tensor, Tensor]], optimiser: Optimizer) -> tuple[Tensor, Tensor]:
        """Update the weights; return the loss and the log-probabilities at the unperturbed weights."""

        def perturb(weights: list[Tensor], gradients: list[Tensor]) -> list[Tensor]:
            sizes = [weight.abs() + self.eta for weight in weights]
            scaled = [size * gradient for size, gradient in zip(sizes, gradients, strict=True)]
            length = torch.norm(torch.stack([product.norm() for product in scaled]))
            return [self.rho / (length + 1e-12) * size * product for size, product in zip(sizes, scaled, strict=True)]

        return step_at_perturbed_weights(compute, optimiser, perturb)
