"""One output per class, trained on the targets."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from quorate.learning.heads.base import Crowd
from quorate.learning.losses.base import Criterion
from quorate.learning.training.examples import Batch
from quorate.learning.training.rows import Dense


@dataclass(frozen=True, kw_only=True)
class Plain:
    """One output per class, trained on the targets; it does not model the workers."""

    def build(self, size: int, crowd: Crowd) -> nn.Module:
        """Build the layers above a base with `size` features."""
        return PlainLayers(size, crowd.n_classes)


class PlainLayers(nn.Module):
    """A linear layer and a softmax."""

    def __init__(self, size: int, n_classes: int) -> None:
        super().__init__()
        self.scores = Dense(size, n_classes)

    def log_probs(self, features: Tensor) -> Tensor:
        """Return the log-probabilities of the classes: (n, n_classes)."""
        return torch.log_softmax(self.scores(features), dim=1)

    def forward(self, features: Tensor, batch: Batch, criterion: Criterion) -> tuple[Tensor, Tensor]:
        """Return the loss of a batch, and the log-probabilities of its classes."""
        log_probs = self.log_probs(features)
        loss = (batch.weight * criterion(log_probs, batch.target)).sum() / len(batch)
        return loss, log_probs
