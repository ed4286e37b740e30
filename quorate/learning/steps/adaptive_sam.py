"""Sharpness-aware minimisation that does not depend on the scale of the weights."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.optim import Optimizer

from quorate.data.option_checks import require_numbers
from quorate.learning.steps._climb import take_at_summit


@dataclass(frozen=True, kw_only=True)
class AdaptiveSam:
    """SAM in which every weight climbs in proportion to its own size, so that scaling a layer changes nothing.

    Paper: Kwon et al., "ASAM: Adaptive sharpness-aware minimization for scale-invariant learning", 2021.
    """

    rho: float = 0.5
    eta: float = 0.01  # added to the size of each weight, so that those at zero can move

    def __post_init__(self) -> None:
        require_numbers(self, "rho", above=0)

    def take(self, compute: Callable[[], tuple[Tensor, Tensor]], optimiser: Optimizer) -> tuple[Tensor, Tensor]:
        """Move the weights; returns what `compute` did before the climb."""

        def climb(weights: list[Tensor], gradients: list[Tensor]) -> list[Tensor]:
            sizes = [weight.abs() + self.eta for weight in weights]
            scaled = [size * gradient for size, gradient in zip(sizes, gradients, strict=True)]
            length = torch.norm(torch.stack([one.norm() for one in scaled]))
            return [self.rho / (length + 1e-12) * size * one for size, one in zip(sizes, scaled, strict=True)]

        return take_at_summit(compute, optimiser, climb)
