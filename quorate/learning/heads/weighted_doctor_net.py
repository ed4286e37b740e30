"""A classifier per worker, then a weight per worker."""

from dataclasses import dataclass, field, replace

import torch
from torch import Tensor, nn

from quorate.data.option_checks import require_choices, require_numbers
from quorate.learning.heads.base import Crowd, Reduction, price_per_vote, vote_counts, vote_loss
from quorate.learning.losses.base import Criterion
from quorate.learning.training.examples import Batch
from quorate.learning.training.recipe import Optimiser, Recipe
from quorate.learning.training.rows import Dense
from quorate.learning.training.schedules import Constant, Schedule


@dataclass(frozen=True, kw_only=True)
class WeightedDoctorNet:
    """Every worker has a classifier of their own on shared features; then their weights are learnt.

    Phase 1 teaches each classifier its worker's votes. Phase 2 holds everything else and learns weights w_j, so that
    sum_j softmax(w)_j p_j comes close to the mean of the votes of each item. That sum is the prediction.

    second_epochs, second_lr, second_optimiser, second_schedule: of phase 2 (paper E has "sgd" and Cyclic() on Music).
    shrink: how strongly a worker's classifier is held to one that all share.
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
        """The layers above a base with so many features."""
        return DoctorLayers(size, crowd, self)


class DoctorLayers(nn.Module):
    """The workers' classifiers, and their weights."""

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
        self.register_buffer("active", crowd.has_votes.float())  # who has no vote has no say
        self.in_second_phase = False

    def second_phase(self, recipe: Recipe) -> Recipe:
        """Hold the classifiers and learn the weights; returns the recipe for it."""
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
        """What each worker's classifier says: (n, n_voters, n_classes)."""
        own = self.own(features).unflatten(1, (self.crowd.n_voters, self.crowd.n_classes))
        return torch.log_softmax(self.shared(features)[:, None, :] + own, dim=2)

    def log_probs(self, features: Tensor) -> Tensor:
        """Log-probabilities of the classes: (n, n_classes)."""
        return self._mean(self.all_log_probs(features))

    def _mean(self, all_log_probs: Tensor) -> Tensor:
        log_weight = torch.log_softmax(torch.where(self.active > 0, self.weight, -torch.inf), dim=0)
        return torch.logsumexp(all_log_probs + log_weight[:, None], dim=1)

    def vote_log_probs(self, features: Tensor, item: Tensor, worker: Tensor) -> Tensor:
        """Log-probabilities of what these workers say of these items: (n_pairs, n_classes)."""
        return self.all_log_probs(features)[item, worker]

    def forward(self, features: Tensor, batch: Batch, criterion: Criterion) -> tuple[Tensor, Tensor]:
        """The loss of a batch, and the log-probabilities of its classes."""
        everyone = self.all_log_probs(features)
        log_probs = self._mean(everyone)
        if self.in_second_phase:
            shares, has_votes = vote_shares(batch, self.crowd.n_classes)
            loss = (batch.weight * has_votes * criterion(log_probs, shares)).sum() / len(batch)
        else:
            said = everyone[batch.item, batch.worker]
            loss = vote_loss(said, batch, criterion, self.options.reduction, self.crowd.n_voters)
            apart = self.own.weight.square().sum() + self.own.bias.square().sum()
            price = self.options.shrink * price_per_vote(batch, self.options.reduction, self.crowd)
            loss = loss + 0.5 * price * apart
        return loss, log_probs


def vote_shares(batch: Batch, n_classes: int) -> tuple[Tensor, Tensor]:
    """Shares of the classes among the votes of each item (n, n_classes), and whether it has any: (n,)."""
    counts = vote_counts(batch, n_classes)
    total = counts.sum(dim=1, keepdim=True)
    return counts / total.clamp_min(1e-9), (total[:, 0] > 0).float()
