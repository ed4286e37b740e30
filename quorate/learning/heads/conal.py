"""A shared confusion matrix and one per worker, mixed by a weight that depends on worker and item."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from quorate.data.option_checks import require_choices, require_numbers
from quorate.learning.heads.base import Crowd, Reduction, take_rows, vote_loss
from quorate.learning.losses.base import Criterion
from quorate.learning.training.examples import Batch
from quorate.learning.training.rows import Dense


@dataclass(frozen=True, kw_only=True)
class Conal:
    """Common noise adaptation layers: a vote comes from a confusion matrix shared by all, or from the worker's own.

    P(vote of worker j on item i) = softmax(w_ij p W_shared + (1 - w_ij) p W_j), where w_ij is the sigmoid of the dot
    product of an embedding of the worker and one of the item. Matrices start as the identity.

    Args:
        apart: weight of the distances between the shared matrix and those of the workers, which are subtracted from the
            loss so that the matrices stay different (lambda of the paper, 0 or 1e-4).
        embedding: size of the embeddings.
        reduction: of the loss over votes: "votes" (mean), "sum" or "cells" (see `vote_loss`).

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
        """Build the layers above a base with `size` features."""
        return ConalLayers(size, crowd, self)


class ConalLayers(nn.Module):
    """Logits of the classes, the confusion matrices, and the embeddings that mix them."""

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
        """Return the log-probabilities of the classes: (n, n_classes)."""
        return torch.log_softmax(self.scores(features), dim=1)

    def vote_log_probs(self, features: Tensor, item: Tensor, worker: Tensor) -> Tensor:
        """Return the log-probabilities of the votes of these workers on these items: (n_pairs, n_classes)."""
        return self._vote_log_probs(features, self.log_probs(features), item, worker)

    def _vote_log_probs(self, features: Tensor, log_probs: Tensor, item: Tensor, worker: Tensor) -> Tensor:
        items = nn.functional.normalize(self.item_embedding(features), dim=1)
        workers = nn.functional.normalize(self.worker_embedding, dim=1)
        weight = torch.sigmoid((take_rows(items, item) * take_rows(workers, worker)).sum(dim=1))[:, None]  # w_ij
        probs = take_rows(log_probs.exp(), item)
        own = torch.bmm(probs[:, None, :], take_rows(self.own, worker))[:, 0]
        return torch.log_softmax(weight * (probs @ self.shared) + (1 - weight) * own, dim=1)

    def forward(self, features: Tensor, batch: Batch, criterion: Criterion) -> tuple[Tensor, Tensor]:
        """Return the loss of a batch, and the log-probabilities of its classes."""
        log_probs = self.log_probs(features)
        vote_log_probs = self._vote_log_probs(features, log_probs, batch.item, batch.worker)
        loss = vote_loss(vote_log_probs, batch, criterion, self.options.reduction, self.crowd.n_voters)
        if self.options.apart:
            # All matrices start equal, where the distance has no gradient: hence the small constant.
            difference = self.shared - self.own[self.crowd.has_votes]
            distances = torch.sqrt(difference.square().sum(dim=(1, 2)) + 1e-12)
            loss = loss - self.options.apart * distances.sum()
        return loss, log_probs
