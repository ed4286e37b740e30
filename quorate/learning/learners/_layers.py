"""A base with a head on it, as one module."""

from typing import Any

from torch import Tensor, nn

from quorate.learning.losses._base import Criterion
from quorate.learning.training.examples import Batch


class Layers(nn.Module):
    """A base with a head on it."""

    base: Any  # a module with `size`
    head: Any  # a module with what Head says

    def __init__(self, base: nn.Module, head: nn.Module) -> None:
        super().__init__()
        self.base, self.head = base, head
        self.base_is_fixed = False

    def fix_base(self) -> None:
        """Learn the base no more: no gradients, no dropout, no moving averages."""
        self.base_is_fixed = True
        self.base.requires_grad_(False)

    def train(self, mode: bool = True) -> "Layers":
        """As any module; a base that is fixed stays in evaluation mode."""
        super().train(mode)
        if self.base_is_fixed:
            self.base.eval()
        return self

    def forward(self, batch: Batch, criterion: Criterion) -> tuple[Tensor, Tensor]:
        """The loss of a batch, and the log-probabilities of its classes."""
        return self.head(self.base(batch.x), batch, criterion)

    def log_probs(self, x: Any) -> Tensor:
        """Log-probabilities of the classes: (n, n_classes)."""
        return self.head.log_probs(self.base(x))
