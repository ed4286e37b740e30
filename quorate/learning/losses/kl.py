"""Kullback-Leibler divergence from the target."""

from dataclasses import dataclass

from torch import Tensor

from quorate.learning.losses.base import Criterion, log_targets
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class Kl:
    """KL(P || Q) = sum_c P_c log(P_c / Q_c): the prediction Q must cover every class that the target P allows.

    Its gradient equals that of cross-entropy; the value differs by the entropy of the target.

    >>> import torch
    >>> half = torch.tensor([[0.5, 0.5]])
    >>> Kl().build(None)(torch.log(half), half).item()
    0.0
    """

    def build(self, class_counts: Array | None) -> Criterion:
        """Return the loss function; class counts are ignored."""

        def divergence(log_probs: Tensor, targets: Tensor) -> Tensor:
            return (targets * (log_targets(targets) - log_probs)).sum(dim=1)

        return divergence
