"""Jensen-Shannon divergence."""

from dataclasses import dataclass

import torch
from torch import Tensor

from quorate.learning.losses.base import Criterion, log_targets
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class JensenShannon:
    """Mean KL divergence of target P and prediction Q from their mean; symmetric, and at most log 2.

    >>> import torch
    >>> half = torch.tensor([[0.5, 0.5]])
    >>> JensenShannon().build(None)(torch.log(half), half).item()
    0.0
    """

    def build(self, class_counts: Array | None) -> Criterion:
        """Return the loss function; class counts are ignored."""

        def divergence(log_probs: Tensor, targets: Tensor) -> Tensor:
            probs = log_probs.exp()
            log_mean = torch.log((0.5 * (probs + targets)).clamp_min(1e-30))
            from_target = targets * (log_targets(targets) - log_mean)
            return 0.5 * (from_target + probs * (log_probs - log_mean)).sum(dim=1)

        return divergence
