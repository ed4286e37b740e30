"""One vector out of many: over the places of a sequence that are there."""

import torch
from torch import Tensor


def highest(states: Tensor, there: Tensor) -> Tensor:
    """The highest value of each feature over the places that are there: (n, longest, size) -> (n, size)."""
    return states.masked_fill(~there[..., None], -torch.inf).amax(dim=1)


def average(states: Tensor, there: Tensor) -> Tensor:
    """The mean of each feature over the places that are there: (n, longest, size) -> (n, size)."""
    return (states * there[..., None]).sum(dim=1) / there.sum(dim=1, keepdim=True)
