"""What all losses share."""

from collections.abc import Callable

import torch
from torch import Tensor

LEAST = 1e-4  # the least probability of a class in a target whose logarithm is taken

Criterion = Callable[[Tensor, Tensor], Tensor]  # (n, n_classes) log-probabilities and targets -> (n,)


def log_targets(targets: Tensor) -> Tensor:
    """Logarithms of targets, none below that of LEAST: a divergence that divides by them stays finite."""
    return torch.log(targets.clamp_min(LEAST))
