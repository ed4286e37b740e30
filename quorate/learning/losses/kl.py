"""Kullback-Leibler divergence from the target."""

from dataclasses import dataclass

from torch import Tensor

from quorate.learning.losses.base import Criterion, log_targets
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class Kl:
    """KL(P || Q) = sum_c P_c log(P_c / Q_c): the prediction Q must cover all that the target P holds possible.

    Its gradient is that of cross-entropy; only the value differs, by the entropy of the target.

    >>> import torch
    >>> half = torch.tensor([[0.5, 0.5]])
    >>> Kl().build(None)(torch.log(half), half).item()
    0.0
    """

    def build(self, class_counts: Array | None) -> Criterion:
        """The loss; class counts are not needed."""

        def divergence(log_probs: Tensor, targets: Tensor) -> Tensor:
            return (targets * (log_targets(targets) - log_probs)).sum(dim=1)

        return divergence
