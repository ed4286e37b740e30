"""One confusion that all share, one of each worker, mixed by who and what."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from quorate.data.option_checks import require_choices, require_numbers
from quorate.learning.heads.base import Crowd, Reduction, rows_of, vote_loss
from quorate.learning.losses.base import Criterion
from quorate.learning.training.examples import Batch
from quorate.learning.training.rows import Dense


@dataclass(frozen=True, kw_only=True)
class Conal:
    """Common noise adaptation layers: an answer comes from a confusion that all share, or from the worker's own.

    P(worker j says of item i) = softmax(w_ij p W_shared + (1 - w_ij) p W_j), with w_ij the sigmoid of the product of an
    embedding of the worker and one of the item. Matrices start as the identity. `apart` times the distances between
    the shared matrix and each worker's is taken from the loss (lambda, 0 or 1e-4): else they run into one.
    Paper: Chu et al., "Learning from crowds by modeling common confusions", 2021.
    """

    apart: float = 1e-4
    embedding: int = 20
    reduction: Reduction = "votes"

    def __post_init__(self) -> None:
        require_choices(self)
        require_numbers(self, "apart", at_least=0)
        require_numbers(self, "embedding", at_least=1)

    def build(self, size: int, crowd: Crowd) -> nn.Module:
        """The layers above a base with so many features."""
        return ConalLayers(size, crowd, self)


class ConalLayers(nn.Module):
    """Scores of the classes, the two confusions, and what mixes them."""

    votes_from_features = True

    def __init__(self, size: int, crowd: Crowd, options: Conal) -> None:
        super().__init__()
        self.options, self.crowd = options, crowd
        self.scores = Dense(size, crowd.n_classes)
        self.item_embedding = Dense(size, options.embedding)
        self.worker_embedding = nn.Parameter(torch.randn(crowd.n_voters, options.embedding))
        self.shared = nn.Parameter(torch.eye(crowd.n_classes))
        self.own = nn.Parameter(torch.eye(crowd.n_classes).repeat(crowd.n_voters, 1, 1))

    def log_probs(self, features: Tensor) -> Tensor:
        """Log-probabilities of the classes: (n, n_classes)."""
        return torch.log_softmax(self.scores(features), dim=1)

    def vote_log_probs(self, features: Tensor, item: Tensor, worker: Tensor) -> Tensor:
        """Log-probabilities of what these workers say of these items: (n_pairs, n_classes)."""
        return self._said(features, self.log_probs(features), item, worker)

    def _said(self, features: Tensor, log_probs: Tensor, item: Tensor, worker: Tensor) -> Tensor:
        items = nn.functional.normalize(self.item_embedding(features), dim=1)
        workers = nn.functional.normalize(self.worker_embedding, dim=1)
        shared = torch.sigmoid((rows_of(items, item) * rows_of(workers, worker)).sum(dim=1))[:, None]  # w_ij
        probs = rows_of(log_probs.exp(), item)
        own = torch.bmm(probs[:, None, :], rows_of(self.own, worker))[:, 0]
        return torch.log_softmax(shared * (probs @ self.shared) + (1 - shared) * own, dim=1)

    def forward(self, features: Tensor, batch: Batch, criterion: Criterion) -> tuple[Tensor, Tensor]:
        """The loss of a batch, and the log-probabilities of its classes."""
        log_probs = self.log_probs(features)
        said = self._said(features, log_probs, batch.item, batch.worker)
        loss = vote_loss(said, batch, criterion, self.options.reduction, self.crowd.n_voters)
        if self.options.apart:
            # At the start all matrices are equal, and the distance has no slope there: hence the tiny constant.
            apart = self.shared - self.own[self.crowd.has_votes]
            distances = torch.sqrt(apart.square().sum(dim=(1, 2)) + 1e-12)
            loss = loss - self.options.apart * distances.sum()
        return loss, log_probs
