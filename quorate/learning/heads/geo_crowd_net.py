"""A confusion matrix per worker, with a volume term that spreads the predictions."""

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn

from quorate.data.option_checks import require_choices, require_numbers
from quorate.learning.heads._confusions import Confusions, Start
from quorate.learning.heads.base import Crowd, penalty_scale, vote_loss
from quorate.learning.losses.base import Criterion
from quorate.learning.training.examples import Batch
from quorate.learning.training.rows import Dense

Volume = Literal["predictions", "workers"]
JITTER = 1e-4  # added to the diagonal before the determinant, since a batch may lack a class


@dataclass(frozen=True, kw_only=True)
class GeoCrowdNet:
    """Every worker has a confusion matrix, and the loss rewards predictions that span a large volume.

    loss = loss of the votes - weight * log det(P' P / n) / classes. The division by the number of classes makes the
    weight comparable between few and many classes (lambda of the paper is weight / classes).

    Args:
        volume: rows of P: "predictions", the class probabilities of a batch (F in the paper), or "workers", the stacked
            confusion matrices of the workers (W in the paper).
        weight: weight of the volume. Too large a weight swaps classes: .8 was best with strong features and 8 classes,
            .3 was too large with weak features and 10 classes.
        start: initial matrices: those of the posterior ("posterior"), or .8 on the "diagonal".
        shrink: strength of the penalty on deviations from a shared matrix.

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
        """Build the layers above a base with `size` features."""
        return GeoCrowdNetLayers(size, crowd, self)


class GeoCrowdNetLayers(nn.Module):
    """Logits of the classes, and the confusion matrices of the workers."""

    def __init__(self, size: int, crowd: Crowd, options: GeoCrowdNet) -> None:
        super().__init__()
        self.options, self.crowd = options, crowd
        self.scores = Dense(size, crowd.n_classes)
        self.confusions = Confusions(crowd, options.start)
        self.vote_log_probs = self.confusions.vote_log_probs

    def log_probs(self, features: Tensor) -> Tensor:
        """Return the log-probabilities of the classes: (n, n_classes)."""
        return torch.log_softmax(self.scores(features), dim=1)

    def forward(self, features: Tensor, batch: Batch, criterion: Criterion) -> tuple[Tensor, Tensor]:
        """Return the loss of a batch, and the log-probabilities of its classes."""
        log_probs = self.log_probs(features)
        vote_log_probs = self.vote_log_probs(log_probs, batch.item, batch.worker)
        loss = vote_loss(vote_log_probs, batch, criterion, "votes", self.crowd.n_voters)
        if self.options.volume == "predictions":
            rows = log_probs.exp()
        else:
            matrices = self.confusions.matrices()[
                self.crowd.has_votes
            ]  # without votes, a matrix stays at the shared one
            rows = matrices.transpose(1, 2).flatten(0, 1)  # (workers * voted, true)
        strength = self.options.shrink * penalty_scale(batch, "votes", self.crowd)
        volume = log_volume(rows) / self.crowd.n_classes
        return loss - self.options.weight * volume + self.confusions.penalty(strength), log_probs


def log_volume(rows: Tensor) -> Tensor:
    """Return the log-determinant of the mean outer product of rows (n, k); large if they span all directions."""
    k = rows.shape[1]
    return torch.logdet(rows.T @ rows / len(rows) + JITTER * torch.eye(k))
