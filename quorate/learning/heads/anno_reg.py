"""A confusion matrix per worker, and a term that keeps them from explaining too little."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from quorate.data.option_checks import require_choices, require_numbers
from quorate.learning.heads._confusions import Confusions, Over, Start
from quorate.learning.heads.base import Crowd, Reduction, price_per_vote, reduced_by, vote_loss
from quorate.learning.losses.base import Criterion
from quorate.learning.training.examples import Batch
from quorate.learning.training.rows import Dense


@dataclass(frozen=True, kw_only=True)
class AnnoReg:
    """Every worker has a confusion matrix C_j, learnt with the network: P(worker says) = p C_j.

    The loss of the votes is added to `trace` times the sum of the matrices' traces: of all matrices that explain the
    votes, those with the least trace belong to the truth. The matrices are taken off for prediction.

    start: the posterior's confusion matrices ("posterior", so aggregate by dawid_skene), or .8 on the "diagonal".
    shrink: how strongly a worker is held to what all share; who has few votes stays close to it.
    over="true": columns in place of rows sum to one, the literal reading of paper E.
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
        """The layers above a base with so many features."""
        return AnnoRegLayers(size, crowd, self)


class AnnoRegLayers(nn.Module):
    """Scores of the classes, and the matrices of the workers."""

    def __init__(self, size: int, crowd: Crowd, options: AnnoReg) -> None:
        super().__init__()
        self.options, self.crowd = options, crowd
        self.scores = Dense(size, crowd.n_classes)
        self.confusions = Confusions(crowd, options.start, options.over)
        self.vote_log_probs = self.confusions.vote_log_probs

    def log_probs(self, features: Tensor) -> Tensor:
        """Log-probabilities of the classes: (n, n_classes)."""
        return torch.log_softmax(self.scores(features), dim=1)

    def forward(self, features: Tensor, batch: Batch, criterion: Criterion) -> tuple[Tensor, Tensor]:
        """The loss of a batch, and the log-probabilities of its classes."""
        log_probs = self.log_probs(features)
        said = self.vote_log_probs(log_probs, batch.item, batch.worker)
        loss = vote_loss(said, batch, criterion, self.options.reduction, self.crowd.n_voters)
        price = self.options.shrink * price_per_vote(batch, self.options.reduction, self.crowd)
        loss = loss + self.confusions.penalty(price)
        if self.options.trace:
            traces = self.confusions.matrices()[self.crowd.has_votes].diagonal(dim1=1, dim2=2).sum()
            scale = reduced_by(batch, self.options.reduction, self.crowd.n_voters)
            loss = loss + self.options.trace * scale * traces
        return loss, log_probs
