"""Shared parts of losses."""

from collections.abc import Callable

import torch
from torch import Tensor

MIN_PROB = 1e-4  # of a class in a target, before its logarithm is taken

Criterion = Callable[[Tensor, Tensor], Tensor]  # (n, n_classes) log-probabilities and targets -> (n,)


def log_targets(targets: Tensor) -> Tensor:
    """Return the logarithms of targets clipped to MIN_PROB, which keeps divergences finite."""
    return torch.log(targets.clamp_min(MIN_PROB))
