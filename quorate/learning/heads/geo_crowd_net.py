"""A confusion matrix per worker, and a term that spreads the network's predictions."""

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn

from quorate.data.option_checks import require_choices, require_numbers
from quorate.learning.heads._confusions import Confusions, Start
from quorate.learning.heads.base import Crowd, price_per_vote, vote_loss
from quorate.learning.losses.base import Criterion
from quorate.learning.training.examples import Batch
from quorate.learning.training.rows import Dense

Volume = Literal["predictions", "workers"]
JITTER = 1e-4  # on the diagonal of what a determinant is taken of: a batch may lack a class


@dataclass(frozen=True, kw_only=True)
class GeoCrowdNet:
    """Every worker has a confusion matrix, and the network is paid for predictions that fill much room.

    loss = that of the votes - weight * log det(P' P / n) / classes; P has the class probabilities of a batch
    ("predictions", the paper's F), or the confusion matrices of the workers under each other ("workers", its W). As it
    is divided by the number of classes, it weighs alike for few and many (the paper's lambda is weight / classes). Too
    large a weight swaps classes: .8 was best with strong features and 8 classes, .3 too much with weak ones and 10.
    Paper: Ibrahim et al., "Deep learning from crowdsourced labels: coupled cross-entropy minimization, identifiability,
    and regularization", 2023.
    """

    volume: Volume = "predictions"
    weight: float = 0.1
    start: Start = "posterior"
    shrink: float = 0.1

    def __post_init__(self) -> None:
        require_choices(self)
        require_numbers(self, "weight", "shrink", at_least=0)

    def build(self, size: int, crowd: Crowd) -> nn.Module:
        """The layers above a base with so many features."""
        return GeoCrowdNetLayers(size, crowd, self)


class GeoCrowdNetLayers(nn.Module):
    """Scores of the classes, and the matrices of the workers."""

    def __init__(self, size: int, crowd: Crowd, options: GeoCrowdNet) -> None:
        super().__init__()
        self.options, self.crowd = options, crowd
        self.scores = Dense(size, crowd.n_classes)
        self.confusions = Confusions(crowd, options.start)
        self.vote_log_probs = self.confusions.vote_log_probs

    def log_probs(self, features: Tensor) -> Tensor:
        """Log-probabilities of the classes: (n, n_classes)."""
        return torch.log_softmax(self.scores(features), dim=1)

    def forward(self, features: Tensor, batch: Batch, criterion: Criterion) -> tuple[Tensor, Tensor]:
        """The loss of a batch, and the log-probabilities of its classes."""
        log_probs = self.log_probs(features)
        said = self.vote_log_probs(log_probs, batch.item, batch.worker)
        loss = vote_loss(said, batch, criterion, "votes", self.crowd.n_voters)
        if self.options.volume == "predictions":
            rows = log_probs.exp()
        else:
            matrices = self.confusions.matrices()[self.crowd.has_votes]  # who has no vote stays as all are
            rows = matrices.transpose(1, 2).flatten(0, 1)  # (workers * said, true)
        price = self.options.shrink * price_per_vote(batch, "votes", self.crowd)
        volume = log_volume(rows) / self.crowd.n_classes
        return loss - self.options.weight * volume + self.confusions.penalty(price), log_probs


def log_volume(rows: Tensor) -> Tensor:
    """Log-determinant of the mean outer product of rows (n, k): large where they point in all k directions."""
    k = rows.shape[1]
    return torch.logdet(rows.T @ rows / len(rows) + JITTER * torch.eye(k))
