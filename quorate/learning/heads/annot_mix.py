"""Embeddings of workers, so that mixup applies to items and workers alike."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from quorate.data.option_checks import require_numbers
from quorate.learning.heads._confusions import MIN_PROB
from quorate.learning.heads.base import Crowd, initial_confusion, take_rows
from quorate.learning.losses.base import Criterion
from quorate.learning.training.examples import Batch
from quorate.learning.training.rows import Dense


@dataclass(frozen=True, kw_only=True)
class AnnotMix:
    """A small network maps a worker's embedding to a confusion matrix; mixup also mixes the embeddings.

    Every vote is an example (item, worker, label). A recipe with `mixup` interpolates all three with the same weight,
    so the network also trains on interpolated workers.

    embedding: size of a worker's embedding. hidden: size of the hidden layer between embedding and matrix.
    Paper: Herde et al., "Annot-Mix: learning with noisy class labels from multiple annotators via a mixup extension",
    2024.
    """

    embedding: int = 16
    hidden: int = 64

    one_vote_per_row = True

    def __post_init__(self) -> None:
        require_numbers(self, "embedding", "hidden", at_least=1)

    def build(self, size: int, crowd: Crowd) -> nn.Module:
        """Build the layers above a base with `size` features."""
        return AnnotMixLayers(size, crowd, self)


class AnnotMixLayers(nn.Module):
    """Logits of the classes, embeddings of the workers, and the network that maps them to confusion matrices."""

    def __init__(self, size: int, crowd: Crowd, options: AnnotMix) -> None:
        super().__init__()
        self.n_classes = k = crowd.n_classes
        self.scores = Dense(size, k)
        self.workers = nn.Parameter(torch.randn(crowd.n_voters, options.embedding))
        last = nn.Linear(options.hidden, k * k)
        nn.init.normal_(last.weight, std=0.01)
        last.bias.data = torch.as_tensor(np.log(initial_confusion(k)).ravel(), dtype=torch.float32)
        self.matrix = nn.Sequential(nn.Linear(options.embedding, options.hidden), nn.ReLU(), last)

    def log_probs(self, features: Tensor) -> Tensor:
        """Return the log-probabilities of the classes: (n, n_classes)."""
        return torch.log_softmax(self.scores(features), dim=1)

    def vote_log_probs(self, log_probs: Tensor, item: Tensor, worker: Tensor) -> Tensor:
        """Return the log-probabilities of the votes of these workers on these items: (n_pairs, n_classes)."""
        return self._vote_log_probs(log_probs[item], take_rows(self.workers, worker))

    def _vote_log_probs(self, log_probs: Tensor, embedding: Tensor) -> Tensor:
        matrices = torch.softmax(self.matrix(embedding).unflatten(1, (self.n_classes, self.n_classes)), dim=2)
        return torch.log(torch.bmm(log_probs.exp()[:, None, :], matrices)[:, 0].clamp_min(MIN_PROB))

    def forward(self, features: Tensor, batch: Batch, criterion: Criterion) -> tuple[Tensor, Tensor]:
        """Return the loss of a batch, and the log-probabilities of its classes."""
        log_probs = self.log_probs(features)
        mixed = take_rows(self.workers, batch.worker) * batch.vote_weight[:, None]
        total = torch.zeros(len(batch)).index_add(0, batch.item, batch.vote_weight)
        embedding = torch.zeros(len(batch), mixed.shape[1]).index_add(0, batch.item, mixed)
        vote_log_probs = self._vote_log_probs(log_probs, embedding / total.clamp_min(1e-9)[:, None])
        return (batch.weight * criterion(vote_log_probs, batch.target)).sum() / len(batch), log_probs
