"""A confusion matrix per worker, with a penalty on the traces of the matrices."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from quorate.data.option_checks import require_choices, require_numbers
from quorate.learning.heads._confusions import Confusions, Over, Start
from quorate.learning.heads.base import Crowd, Reduction, penalty_scale, reduction_factor, vote_loss
from quorate.learning.losses.base import Criterion
from quorate.learning.training.examples import Batch
from quorate.learning.training.rows import Dense


@dataclass(frozen=True, kw_only=True)
class AnnoReg:
    """Every worker has a confusion matrix C_j, trained with the network: P(vote of worker j) = p C_j.

    The loss of the votes is added to `trace` times the sum of the traces of the matrices: of all matrices that explain
    the votes equally well, the true ones have the smallest trace. Prediction does not use the matrices.

    Args:
        trace: weight of the traces in the loss.
        start: initial matrices: "posterior" takes those of the posterior (so aggregate with dawid_skene), "diagonal"
            has .8 on the diagonal.
        shrink: strength of the penalty on deviations from a shared matrix; workers with few votes stay close to it.
        over: "said" normalises rows; "true" normalises columns, the literal reading of paper E.
        reduction: of the loss over votes: "votes" (mean), "sum" or "cells" (see `vote_loss`).

    Paper: Tanno et al., "Learning from noisy labels by regularized estimation of annotator confusion", 2019.
    """

    trace: float = 0.01
    start: Start = "posterior"
    shrink: float = 0.1
    over: Over = "said"
    reduction: Reduction = "votes"

    def __post_init__(self) -> None:
        require_choices(self)
        require_numbers(self, "trace", "shrink", at_least=0)

    def build(self, size: int, crowd: Crowd) -> nn.Module:
        """Build the layers above a base with `size` features."""
        return AnnoRegLayers(size, crowd, self)


class AnnoRegLayers(nn.Module):
    """Logits of the classes, and the confusion matrices of the workers."""

    def __init__(self, size: int, crowd: Crowd, options: AnnoReg) -> None:
        super().__init__()
        self.options, self.crowd = options, crowd
        self.scores = Dense(size, crowd.n_classes)
        self.confusions = Confusions(crowd, options.start, options.over)
        self.vote_log_probs = self.confusions.vote_log_probs

    def log_probs(self, features: Tensor) -> Tensor:
        """Return the log-probabilities of the classes: (n, n_classes)."""
        return torch.log_softmax(self.scores(features), dim=1)

    def forward(self, features: Tensor, batch: Batch, criterion: Criterion) -> tuple[Tensor, Tensor]:
        """Return the loss of a batch, and the log-probabilities of its classes."""
        log_probs = self.log_probs(features)
        vote_log_probs = self.vote_log_probs(log_probs, batch.item, batch.worker)
        loss = vote_loss(vote_log_probs, batch, criterion, self.options.reduction, self.crowd.n_voters)
        strength = self.options.shrink * penalty_scale(batch, self.options.reduction, self.crowd)
        loss = loss + self.confusions.penalty(strength)
        if self.options.trace:
            traces = self.confusions.matrices()[self.crowd.has_votes].diagonal(dim1=1, dim2=2).sum()
            scale = reduction_factor(batch, self.options.reduction, self.crowd.n_voters)
            loss = loss + self.options.trace * scale * traces
        return loss, log_probs
