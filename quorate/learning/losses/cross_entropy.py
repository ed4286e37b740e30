"""Cross-entropy with soft targets."""

from dataclasses import dataclass

from torch import Tensor

from quorate.learning.losses.base import Criterion
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class CrossEntropy:
    """- sum_c P_c log Q_c, for a target P that may be soft.

    >>> import torch
    >>> loss = CrossEntropy().build(None)
    >>> loss(torch.log(torch.tensor([[0.5, 0.5]])), torch.tensor([[1.0, 0.0]])).item()
    0.6931471824645996
    """

    def build(self, class_counts: Array | None) -> Criterion:
        """Return the loss function; class counts are ignored."""

        def cross_entropy(log_probs: Tensor, targets: Tensor) -> Tensor:
            return -(targets * log_probs).sum(dim=1)

        return cross_entropy
