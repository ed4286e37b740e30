"""Workers as embeddings, so that not only items but also workers can be mixed."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from quorate.data.option_checks import require_numbers
from quorate.learning.heads._confusions import LEAST
from quorate.learning.heads.base import Crowd, diagonal_start, rows_of
from quorate.learning.losses.base import Criterion
from quorate.learning.training.examples import Batch
from quorate.learning.training.rows import Dense


@dataclass(frozen=True, kw_only=True)
class AnnotMix:
    """A small network turns a worker's embedding into a confusion matrix; with mixup, embeddings are mixed as well.

    Every vote is an example of its own: (item, worker, label). A recipe with `mixup` mixes all three alike, so that the
    network is also taught what a worker half-way between two others would say of an item half-way between two others.
    Paper: Herde et al., "Annot-Mix: learning with noisy class labels from multiple annotators via a mixup extension",
    2024.
    """

    embedding: int = 16
    hidden: int = 64

    one_vote_per_row = True

    def __post_init__(self) -> None:
        require_numbers(self, "embedding", "hidden", at_least=1)

    def build(self, size: int, crowd: Crowd) -> nn.Module:
        """The layers above a base with so many features."""
        return AnnotMixLayers(size, crowd, self)


class AnnotMixLayers(nn.Module):
    """Scores of the classes, the workers' embeddings, and the network from those to confusion matrices."""

    def __init__(self, size: int, crowd: Crowd, options: AnnotMix) -> None:
        super().__init__()
        self.n_classes = k = crowd.n_classes
        self.scores = Dense(size, k)
        self.workers = nn.Parameter(torch.randn(crowd.n_voters, options.embedding))
        last = nn.Linear(options.hidden, k * k)
        nn.init.normal_(last.weight, std=0.01)
        last.bias.data = torch.as_tensor(np.log(diagonal_start(k)).ravel(), dtype=torch.float32)
        self.matrix = nn.Sequential(nn.Linear(options.embedding, options.hidden), nn.ReLU(), last)

    def log_probs(self, features: Tensor) -> Tensor:
        """Log-probabilities of the classes: (n, n_classes)."""
        return torch.log_softmax(self.scores(features), dim=1)

    def vote_log_probs(self, log_probs: Tensor, item: Tensor, worker: Tensor) -> Tensor:
        """Log-probabilities of what these workers say of these items: (n_pairs, n_classes)."""
        return self._said(log_probs[item], rows_of(self.workers, worker))

    def _said(self, log_probs: Tensor, embedding: Tensor) -> Tensor:
        matrices = torch.softmax(self.matrix(embedding).unflatten(1, (self.n_classes, self.n_classes)), dim=2)
        return torch.log(torch.bmm(log_probs.exp()[:, None, :], matrices)[:, 0].clamp_min(LEAST))

    def forward(self, features: Tensor, batch: Batch, criterion: Criterion) -> tuple[Tensor, Tensor]:
        """The loss of a batch, and the log-probabilities of its classes."""
        log_probs = self.log_probs(features)
        mixed = rows_of(self.workers, batch.worker) * batch.vote_weight[:, None]
        total = torch.zeros(len(batch)).index_add(0, batch.item, batch.vote_weight)
        embedding = torch.zeros(len(batch), mixed.shape[1]).index_add(0, batch.item, mixed)
        said = self._said(log_probs, embedding / total.clamp_min(1e-9)[:, None])
        return (batch.weight * criterion(said, batch.target)).sum() / len(batch), log_probs
