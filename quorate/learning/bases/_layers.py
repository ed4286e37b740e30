"""Layers and checks of options that several bases share."""

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from quorate.errors import MethodError


class Features(nn.Module):
    """The features as they are; a head puts its linear layer on them."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size

    def forward(self, x: Tensor) -> Tensor:
        """The same."""
        return x


def highest(states: Tensor, there: Tensor) -> Tensor:
    """The highest value of each feature over the places that are there: (n, longest, size) -> (n, size)."""
    return states.masked_fill(~there[..., None], -torch.inf).amax(dim=1)


def average(states: Tensor, there: Tensor) -> Tensor:
    """The mean of each feature over the places that are there: (n, longest, size) -> (n, size)."""
    return (states * there[..., None]).sum(dim=1) / there.sum(dim=1, keepdim=True)


def require_sizes(name: str, sizes: Any, example: str) -> None:
    """Refuse sizes of layers that name none, or one that is not whole or below 1."""
    layers = sizes if isinstance(sizes, tuple | list) else ()
    if not layers or not all(isinstance(size, int | np.integer) and size >= 1 for size in layers):
        raise MethodError(f"{name} must name at least one layer, each of 1 or more, such as {example}, got {sizes!r}")


def require_heads(width: int, heads: int) -> None:
    """Refuse heads of attention that cannot share out its features evenly."""
    if heads < 1 or width % heads:
        raise MethodError(f"heads must share out {width} features evenly, got {heads}")
