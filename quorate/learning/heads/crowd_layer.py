"""A layer per worker on top of the class probabilities."""

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn

from quorate.data.option_checks import require_choices, require_numbers
from quorate.learning.heads.base import Crowd, Reduction, penalty_scale, take_rows, vote_loss
from quorate.learning.losses.base import Criterion
from quorate.learning.training.examples import Batch
from quorate.learning.training.rows import Dense

Weights = Literal["MW", "VW", "VB", "VW+B", "SW"]
Softmax = Literal["once", "double"]
Answers = Literal["hard", "softmax"]


@dataclass(frozen=True, kw_only=True)
class CrowdLayer:
    """Every worker has a layer on top of the class probabilities p, trained on the votes of that worker.

    P(vote of worker j) = softmax(p W_j), where the matrix W_j (true, voted) starts as the identity. Prediction does not
    use the layers.

    Args:
        weights: parameters of a worker's layer: a matrix ("MW"), a weight per class ("VW"), a bias per class ("VB"),
            both ("VW+B"), or a single weight ("SW").
        shrink: strength of the penalty on deviations from a shared layer; it matters most for workers with few votes. 0
            trains every worker's layer independently, as in the paper.
        softmax: "double" applies a softmax inside the layer and another in the loss, a reading of the paper on
            softmax-CrowdLayer.
        answers: "softmax" applies a softmax to the one-hot votes before they are targets, another reading of it.
        reduction: of the loss over votes: "votes" (mean), "sum" or "cells" (see `vote_loss`).

    Paper: Rodrigues and Pereira, "Deep learning from crowds", 2018.
    """

    weights: Weights = "MW"
    shrink: float = 1.0
    softmax: Softmax = "once"
    answers: Answers = "hard"
    reduction: Reduction = "votes"

    def __post_init__(self) -> None:
        require_choices(self)
        require_numbers(self, "shrink", at_least=0)

    def build(self, size: int, crowd: Crowd) -> nn.Module:
        """Build the layers above a base with `size` features."""
        return CrowdLayers(size, crowd, self)


class CrowdLayers(nn.Module):
    """Logits of the classes, and a layer per worker on their probabilities."""

    def __init__(self, size: int, crowd: Crowd, options: CrowdLayer) -> None:
        super().__init__()
        self.options, self.crowd = options, crowd
        self.scores = Dense(size, crowd.n_classes)
        start = _initial_layer(options.weights, crowd.n_classes)
        if options.shrink:
            self.shared = nn.Parameter(start)
            self.own = nn.Parameter(torch.zeros(crowd.n_voters, *start.shape))
        else:
            self.own = nn.Parameter(start.repeat(crowd.n_voters, *[1] * start.ndim))

    def log_probs(self, features: Tensor) -> Tensor:
        """Return the log-probabilities of the classes: (n, n_classes)."""
        return torch.log_softmax(self.scores(features), dim=1)

    def vote_log_probs(self, log_probs: Tensor, item: Tensor, worker: Tensor) -> Tensor:
        """Return the log-probabilities of the votes of these workers on these items: (n_pairs, n_classes)."""
        layer = take_rows(self.own, worker)
        if self.options.shrink:
            layer = layer + self.shared
        logits = _apply_layer(self.options.weights, take_rows(log_probs.exp(), item), layer)
        if self.options.softmax == "double":
            logits = torch.softmax(logits, dim=1)
        return torch.log_softmax(logits, dim=1)

    def forward(self, features: Tensor, batch: Batch, criterion: Criterion) -> tuple[Tensor, Tensor]:
        """Return the loss of a batch, and the log-probabilities of its classes."""
        log_probs = self.log_probs(features)
        vote_log_probs = self.vote_log_probs(log_probs, batch.item, batch.worker)
        if self.options.answers == "softmax":
            criterion = _with_softmax_targets(criterion)
        loss = vote_loss(vote_log_probs, batch, criterion, self.options.reduction, self.crowd.n_voters)
        if self.options.shrink:
            strength = self.options.shrink * penalty_scale(batch, self.options.reduction, self.crowd)
            loss = loss + 0.5 * strength * self.own.square().sum()
        return loss, log_probs


def _initial_layer(weights: Weights, n_classes: int) -> Tensor:
    """Return the initial layer of a worker, the identity."""
    if weights == "MW":
        return torch.eye(n_classes)
    if weights == "VW+B":
        return torch.stack([torch.ones(n_classes), torch.zeros(n_classes)])
    return {"VW": torch.ones(n_classes), "VB": torch.zeros(n_classes), "SW": torch.ones(1)}[weights]


def _apply_layer(weights: Weights, probs: Tensor, layer: Tensor) -> Tensor:
    """Return the logits of the vote of each pair of item and worker: (n_pairs, n_classes)."""
    if weights == "MW":
        return torch.bmm(probs[:, None, :], layer)[:, 0]  # (n, 1, true) @ (n, true, voted)
    if weights == "VB":
        return probs + layer
    return probs * layer[:, 0] + layer[:, 1] if weights == "VW+B" else probs * layer


def _with_softmax_targets(criterion: Criterion) -> Criterion:
    return lambda log_probs, targets: criterion(log_probs, torch.softmax(targets, dim=1))
