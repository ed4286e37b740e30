"""A classifier per worker, then a weight per worker."""

from dataclasses import dataclass, field, replace

import torch
from torch import Tensor, nn

from quorate.data.option_checks import require_choices, require_numbers
from quorate.learning.heads.base import Crowd, Reduction, penalty_scale, vote_counts, vote_loss
from quorate.learning.losses.base import Criterion
from quorate.learning.training.examples import Batch
from quorate.learning.training.recipe import Optimiser, Recipe
from quorate.learning.training.rows import Dense
from quorate.learning.training.schedules import Constant, Schedule


@dataclass(frozen=True, kw_only=True)
class WeightedDoctorNet:
    """Every worker has a classifier on shared features; then a weight per worker is trained.

    Phase 1 trains each classifier on the votes of its worker. Phase 2 freezes everything else and trains weights w_j so
    that sum_j softmax(w)_j p_j approximates the mean of the votes of each item. That sum is the prediction.

    Args:
        second_epochs: epochs of phase 2.
        second_lr: learning rate of phase 2.
        second_optimiser: optimiser of phase 2 (paper E uses "sgd" on Music).
        second_schedule: schedule of the learning rate in phase 2 (paper E uses Cyclic() on Music).
        shrink: strength of the penalty on deviations from a shared classifier.
        reduction: of the loss over votes: "votes" (mean), "sum" or "cells" (see `vote_loss`).

    Paper: Guan et al., "Who said what: modeling individual labelers improves classification", 2018.
    """

    second_epochs: int = 50
    second_lr: float = 0.01
    second_optimiser: Optimiser = "adam"
    second_schedule: Schedule = field(default_factory=Constant)
    shrink: float = 0.1
    reduction: Reduction = "votes"

    def __post_init__(self) -> None:
        require_choices(self)
        require_numbers(self, "second_epochs", at_least=1)
        require_numbers(self, "second_lr", above=0)
        require_numbers(self, "shrink", at_least=0)

    def build(self, size: int, crowd: Crowd) -> nn.Module:
        """Build the layers above a base with `size` features."""
        return DoctorLayers(size, crowd, self)


class DoctorLayers(nn.Module):
    """Classifiers of the workers, and their weights."""

    votes_from_features = True
    active: Tensor

    def __init__(self, size: int, crowd: Crowd, options: WeightedDoctorNet) -> None:
        super().__init__()
        self.options, self.crowd = options, crowd
        self.shared = Dense(size, crowd.n_classes)
        self.own = Dense(size, crowd.n_voters * crowd.n_classes)
        nn.init.zeros_(self.own.weight)
        nn.init.zeros_(self.own.bias)
        self.weight = nn.Parameter(torch.zeros(crowd.n_voters), requires_grad=False)
        self.register_buffer("active", crowd.has_votes.float())  # workers without votes have no weight
        self.in_second_phase = False

    def second_phase(self, recipe: Recipe) -> Recipe:
        """Freeze the classifiers, enable training of the weights, and return the recipe of phase 2."""
        self.in_second_phase = True
        self.requires_grad_(False)
        self.weight.requires_grad_(True)
        options = self.options
        return replace(
            recipe,
            epochs=options.second_epochs,
            lr=options.second_lr,
            optimiser=options.second_optimiser,
            schedule=options.second_schedule,
            weight_decay=0.0,
            checkpoint="",
        )

    def all_log_probs(self, features: Tensor) -> Tensor:
        """Return the log-probabilities of each worker's classifier: (n, n_voters, n_classes)."""
        own = self.own(features).unflatten(1, (self.crowd.n_voters, self.crowd.n_classes))
        return torch.log_softmax(self.shared(features)[:, None, :] + own, dim=2)

    def log_probs(self, features: Tensor) -> Tensor:
        """Return the log-probabilities of the classes: (n, n_classes)."""
        return self._mean(self.all_log_probs(features))

    def _mean(self, all_log_probs: Tensor) -> Tensor:
        log_weight = torch.log_softmax(torch.where(self.active > 0, self.weight, -torch.inf), dim=0)
        return torch.logsumexp(all_log_probs + log_weight[:, None], dim=1)

    def vote_log_probs(self, features: Tensor, item: Tensor, worker: Tensor) -> Tensor:
        """Return the log-probabilities of the votes of these workers on these items: (n_pairs, n_classes)."""
        return self.all_log_probs(features)[item, worker]

    def forward(self, features: Tensor, batch: Batch, criterion: Criterion) -> tuple[Tensor, Tensor]:
        """Return the loss of a batch, and the log-probabilities of its classes."""
        all_log_probs = self.all_log_probs(features)
        log_probs = self._mean(all_log_probs)
        if self.in_second_phase:
            shares, has_votes = vote_shares(batch, self.crowd.n_classes)
            loss = (batch.weight * has_votes * criterion(log_probs, shares)).sum() / len(batch)
        else:
            vote_log_probs = all_log_probs[batch.item, batch.worker]
            loss = vote_loss(vote_log_probs, batch, criterion, self.options.reduction, self.crowd.n_voters)
            squares = self.own.weight.square().sum() + self.own.bias.square().sum()
            strength = self.options.shrink * penalty_scale(batch, self.options.reduction, self.crowd)
            loss = loss + 0.5 * strength * squares
        return loss, log_probs


def vote_shares(batch: Batch, n_classes: int) -> tuple[Tensor, Tensor]:
    """Return the vote shares of each item, (n, n_classes), and a mask of items with votes, (n,)."""
    counts = vote_counts(batch, n_classes)
    total = counts.sum(dim=1, keepdim=True)
    return counts / total.clamp_min(1e-9), (total[:, 0] > 0).float()
