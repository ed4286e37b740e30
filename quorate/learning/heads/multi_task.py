"""One output for the target, another for the distribution of the votes."""

from dataclasses import dataclass, field
from math import log
from typing import Any, Literal

import torch
from torch import Tensor, nn

from quorate.data.option_checks import require_choices
from quorate.learning.heads.base import Crowd, vote_counts
from quorate.learning.losses.base import Criterion
from quorate.learning.losses.inverse_kl import InverseKl
from quorate.learning.training.examples import Batch
from quorate.learning.training.rows import Dense

Labels = Literal["dirichlet", "softmax_shares", "softmax_counts"]
Units = Literal["nats", "bits"]


@dataclass(frozen=True, kw_only=True)
class MultiTask:
    """Two outputs on the same features: one is trained on the target, the other on the distribution of the votes.

    The loss is the sum of both. The first output predicts; the second is a regulariser on items on which people
    disagree.

    Args:
        auxiliary: loss of the second output: InverseKl(), Kl(), CrossEntropy() or JensenShannon().
        labels: soft labels of the second output, never zero: "dirichlet" adds one pseudo-vote, spread evenly, to the
            votes; "softmax_shares" and "softmax_counts" are softmaxes of vote shares or counts (the paper does not say
            which).
        units: "bits" takes logarithms to base 2, which weights the second loss 1.44 times as much as "nats".

    Paper: Fornaciari et al., "Beyond black & white: leveraging annotator disagreement via soft-label multi-task
    learning", 2021.
    """

    auxiliary: Any = field(default_factory=InverseKl)
    labels: Labels = "dirichlet"
    units: Units = "nats"

    def __post_init__(self) -> None:
        require_choices(self)

    def build(self, size: int, crowd: Crowd) -> nn.Module:
        """Build the layers above a base with `size` features."""
        return MultiTaskLayers(size, crowd, self)


class MultiTaskLayers(nn.Module):
    """Two linear layers on the same features."""

    def __init__(self, size: int, crowd: Crowd, options: MultiTask) -> None:
        super().__init__()
        self.options, self.n_classes = options, crowd.n_classes
        self.scores = Dense(size, crowd.n_classes)
        self.spread = Dense(size, crowd.n_classes)
        self.auxiliary = options.auxiliary.build(None)

    def log_probs(self, features: Tensor) -> Tensor:
        """Return the log-probabilities of the classes: (n, n_classes)."""
        return torch.log_softmax(self.scores(features), dim=1)

    def forward(self, features: Tensor, batch: Batch, criterion: Criterion) -> tuple[Tensor, Tensor]:
        """Return the loss of a batch, and the log-probabilities of its classes."""
        log_probs = self.log_probs(features)
        main = (batch.weight * criterion(log_probs, batch.target)).sum()
        soft, has_votes = soft_labels(batch, self.n_classes, self.options.labels)
        spread_loss = self.auxiliary(torch.log_softmax(self.spread(features), dim=1), soft)
        spread = (batch.weight * has_votes * spread_loss).sum()
        if self.options.units == "bits":
            spread = spread / log(2)
        return (main + spread) / len(batch), log_probs


def soft_labels(batch: Batch, n_classes: int, kind: Labels) -> tuple[Tensor, Tensor]:
    """Return the soft labels of the votes of each item, (n, n_classes), and a mask of items with votes, (n,)."""
    counts = vote_counts(batch, n_classes) / batch.weight.clamp_min(1e-9)[:, None]  # a vote counts as one
    total = counts.sum(dim=1, keepdim=True)
    if kind == "dirichlet":
        soft = (counts + 1 / n_classes) / (total + 1)
    else:
        soft = torch.softmax(counts if kind == "softmax_counts" else counts / total.clamp_min(1e-9), dim=1)
    return soft, (total[:, 0] > 0).float()
