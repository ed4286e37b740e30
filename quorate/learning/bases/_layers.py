"""Layers and option checks shared by several bases."""

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from quorate.errors import MethodError


class Features(nn.Module):
    """An identity layer: the linear layer of the head is applied to the input features."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size

    def forward(self, x: Tensor) -> Tensor:
        """Return the input."""
        return x


def masked_max(states: Tensor, mask: Tensor) -> Tensor:
    """Return the maximum of each feature over the unmasked positions: (n, length, size) -> (n, size)."""
    return states.masked_fill(~mask[..., None], -torch.inf).amax(dim=1)


def masked_mean(states: Tensor, mask: Tensor) -> Tensor:
    """Return the mean of each feature over the unmasked positions: (n, length, size) -> (n, size)."""
    return (states * mask[..., None]).sum(dim=1) / mask.sum(dim=1, keepdim=True)


def require_sizes(name: str, sizes: Any, example: str) -> None:
    """Raise an error unless sizes is a non-empty sequence of integers of at least 1."""
    layers = sizes if isinstance(sizes, tuple | list) else ()
    if not layers or not all(isinstance(size, int | np.integer) and size >= 1 for size in layers):
        raise MethodError(
            f"{name} must list at least one layer size, each an integer of 1 or more, such as {example}, got {sizes!r}"
        )


def require_attention_heads(width: int, heads: int) -> None:
    """Raise an error unless the number of features is divisible by the number of attention heads."""
    if heads < 1 or width % heads:
        raise MethodError(f"heads must divide the number of features, {width}, got {heads}")
