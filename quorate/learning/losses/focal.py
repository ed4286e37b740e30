"""Focal loss, which gives easy examples little weight."""

from dataclasses import dataclass

from torch import Tensor

from quorate.data.option_checks import require_numbers
from quorate.learning.losses.base import Criterion
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class Focal:
    """- sum_c P_c (1 - Q_c)^gamma log Q_c: correct examples have little weight. gamma = 0 is cross-entropy.

    Paper: Lin et al., "Focal loss for dense object detection", 2017.

    >>> import torch
    >>> loss = Focal(gamma=2.0).build(None)
    >>> round(loss(torch.log(torch.tensor([[0.5, 0.5]])), torch.tensor([[1.0, 0.0]])).item(), 4)
    0.1733
    """

    gamma: float = 2.0

    def __post_init__(self) -> None:
        require_numbers(self, "gamma", at_least=0)

    def build(self, class_counts: Array | None) -> Criterion:
        """Return the loss function; class counts are ignored."""

        def focal(log_probs: Tensor, targets: Tensor) -> Tensor:
            error = (1 - log_probs.exp()).clamp_min(1e-8)  # a power of zero has no finite gradient
            return -(targets * error**self.gamma * log_probs).sum(dim=1)

        return focal
