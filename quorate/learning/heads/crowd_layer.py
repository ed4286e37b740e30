"""A layer per worker on the network's probabilities."""

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn

from quorate.data.option_checks import require_choices, require_numbers
from quorate.learning.heads.base import Crowd, Reduction, price_per_vote, rows_of, vote_loss
from quorate.learning.losses.base import Criterion
from quorate.learning.training.examples import Batch
from quorate.learning.training.rows import Dense

Weights = Literal["MW", "VW", "VB", "VW+B", "SW"]
Softmax = Literal["once", "double"]
Answers = Literal["hard", "softmax"]


@dataclass(frozen=True, kw_only=True)
class CrowdLayer:
    """Every worker has a layer on the network's class probabilities p, and is taught by that worker's own votes.

    P(worker says) = softmax(p W_j) with a matrix per worker, W_j[true, said], that starts as the identity ("MW"); or
    of p with a weight per class ("VW"), a bias per class ("VB"), both ("VW+B"), or a single weight ("SW"). The layer is
    taken off for prediction.

    shrink: how strongly a worker's layer is held to one that all share; who has few votes stays close to it, who has
    many does not. 0: every worker is alone, as in the paper.
    softmax="double" and answers="softmax" are readings of the paper on softmax-CrowdLayer: a softmax inside the layer
    and another in the loss; and answers that are softmaxed before they are targets.
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
        """The layers above a base with so many features."""
        return CrowdLayers(size, crowd, self)


class CrowdLayers(nn.Module):
    """Scores of the classes, and what each worker makes of them."""

    def __init__(self, size: int, crowd: Crowd, options: CrowdLayer) -> None:
        super().__init__()
        self.options, self.crowd = options, crowd
        self.scores = Dense(size, crowd.n_classes)
        start = _start(options.weights, crowd.n_classes)
        if options.shrink:
            self.shared = nn.Parameter(start)
            self.own = nn.Parameter(torch.zeros(crowd.n_voters, *start.shape))
        else:
            self.own = nn.Parameter(start.repeat(crowd.n_voters, *[1] * start.ndim))

    def log_probs(self, features: Tensor) -> Tensor:
        """Log-probabilities of the classes: (n, n_classes)."""
        return torch.log_softmax(self.scores(features), dim=1)

    def vote_log_probs(self, log_probs: Tensor, item: Tensor, worker: Tensor) -> Tensor:
        """Log-probabilities of what these workers say of these items: (n_pairs, n_classes)."""
        layer = rows_of(self.own, worker)
        if self.options.shrink:
            layer = layer + self.shared
        scores = _applied(self.options.weights, rows_of(log_probs.exp(), item), layer)
        if self.options.softmax == "double":
            scores = torch.softmax(scores, dim=1)
        return torch.log_softmax(scores, dim=1)

    def forward(self, features: Tensor, batch: Batch, criterion: Criterion) -> tuple[Tensor, Tensor]:
        """The loss of a batch, and the log-probabilities of its classes."""
        log_probs = self.log_probs(features)
        said = self.vote_log_probs(log_probs, batch.item, batch.worker)
        if self.options.answers == "softmax":
            criterion = _softmaxed(criterion)
        loss = vote_loss(said, batch, criterion, self.options.reduction, self.crowd.n_voters)
        if self.options.shrink:
            price = self.options.shrink * price_per_vote(batch, self.options.reduction, self.crowd)
            loss = loss + 0.5 * price * self.own.square().sum()
        return loss, log_probs


def _start(weights: Weights, n_classes: int) -> Tensor:
    """What a worker's layer starts as: one that changes nothing."""
    if weights == "MW":
        return torch.eye(n_classes)
    if weights == "VW+B":
        return torch.stack([torch.ones(n_classes), torch.zeros(n_classes)])
    return {"VW": torch.ones(n_classes), "VB": torch.zeros(n_classes), "SW": torch.ones(1)}[weights]


def _applied(weights: Weights, probs: Tensor, layer: Tensor) -> Tensor:
    """Scores of the answers of each pair: (n_pairs, n_classes)."""
    if weights == "MW":
        return torch.bmm(probs[:, None, :], layer)[:, 0]  # (n, 1, true) @ (n, true, said)
    if weights == "VB":
        return probs + layer
    return probs * layer[:, 0] + layer[:, 1] if weights == "VW+B" else probs * layer


def _softmaxed(criterion: Criterion) -> Criterion:
    return lambda log_probs, targets: criterion(log_probs, torch.softmax(targets, dim=1))
