"""A loss whose gradient is known, which takes down where it was asked."""

from collections.abc import Callable

import torch
from torch import Tensor

CURVE = torch.tensor([1.0, 4.0])


def quadratic(weight: Tensor, seen: list[list[float]]) -> Callable[[], tuple[Tensor, Tensor]]:
    """Return the loss (w0^2 + 4 w1^2) / 2, with gradient (w0, 4 w1), which records the weights of each call."""

    def compute() -> tuple[Tensor, Tensor]:
        seen.append(weight.detach().tolist())
        return 0.5 * (CURVE * weight**2).sum(), weight.detach().clone()

    return compute
