"""Sharpness-aware minimisation."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.optim import Optimizer

from quorate.data.option_checks import require_numbers
from quorate.learning.steps._climb import take_at_summit


@dataclass(frozen=True, kw_only=True)
class Sam:
    """Climb to the worst point within `rho` of the weights, and go down from where you were by the gradient there.

    It finds flat valleys: the loss stays low when the weights move a little. Every batch is computed twice; dropout may
    draw another mask the second time, and the moving averages of batch norm take in the first only.
    Paper: Foret et al., "Sharpness-aware minimization for efficiently improving generalization", 2021.
    """

    rho: float = 0.05

    def __post_init__(self) -> None:
        require_numbers(self, "rho", above=0)

    def take(self, compute: Callable[[], tuple[Tensor, Tensor]], optimiser: Optimizer) -> tuple[Tensor, Tensor]:
        """Move the weights; returns what `compute` did before the climb."""

        def climb(weights: list[Tensor], gradients: list[Tensor]) -> list[Tensor]:
            length = torch.norm(torch.stack([gradient.norm() for gradient in gradients]))
            return [self.rho / (length + 1e-12) * gradient for gradient in gradients]

        return take_at_summit(compute, optimiser, climb)
