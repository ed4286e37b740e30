"""What heads share: what they are built for, and the masked loss over votes."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from quorate.data.ids import lookup
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.inference.bayes import response_log_probs
from quorate.learning.losses.base import Criterion
from quorate.learning.training.examples import Batch
from quorate.typing import Array

Reduction = Literal["votes", "sum", "cells"]


@dataclass(frozen=True, eq=False)
class Crowd:
    """Who votes on what, as far as a head must know to be built.

    n_voters: rows of a table of workers, one for each and a last one for all anonymous voters.
    votes_per_voter: of training, (n_voters,); None: not known, as when a network is loaded.
    confusion: (n_voters, true, said), how the posterior says that they answer; None: unknown.
    """

    n_classes: int
    n_voters: int
    votes_per_voter: NDArray[np.int64] | None = None
    confusion: Array | None = None

    @property
    def n_votes(self) -> int:
        """Votes of training, at least one."""
        return 1 if self.votes_per_voter is None else max(int(self.votes_per_voter.sum()), 1)

    @property
    def has_votes(self) -> Tensor:
        """Who has votes, as far as it is known: (n_voters,). What is done to all workers leaves the others alone."""
        counts = np.ones(self.n_voters) if self.votes_per_voter is None else self.votes_per_voter
        return torch.from_numpy(counts > 0)

    @classmethod
    def of(cls, votes: Votes, posterior: Posterior) -> "Crowd":
        """The crowd behind these votes."""
        confusion = None
        if posterior.worker_model is not None:
            place = lookup(votes.workers, posterior.workers)  # -1, who is not known to it, answers as the pool does
            confusion = np.exp(response_log_probs(posterior.worker_model, place, votes.n_classes))
        return cls(votes.n_classes, votes.n_workers + 1, votes.votes_per_voter, confusion)


def vote_loss(log_probs: Tensor, batch: Batch, criterion: Criterion, reduction: Reduction, n_voters: int) -> Tensor:
    """Masked multi cross-entropy: the loss of the votes there are; an answer that is missing has no part in it.

    log_probs: (n_votes, n_classes), of what the worker of each vote says of its item.
    reduction: mean over votes; their sum (paper E); or, as the Keras original, mean over all cells of items x workers.
    """
    n_classes = log_probs.shape[1]
    said = torch.nn.functional.one_hot(batch.label, n_classes).to(log_probs.dtype)
    total = (batch.vote_weight * criterion(log_probs, said)).sum()
    return total * reduced_by(batch, reduction, n_voters)


def rows_of(table: Tensor, rows: Tensor) -> Tensor:
    """Rows of a table, as of workers, (n, ...); its gradient is several times quicker than that of table[rows]."""
    taken = torch.nn.functional.embedding(rows, table.flatten(1))
    return taken if table.ndim == 2 else taken.unflatten(1, table.shape[1:])


def vote_counts(batch: Batch, n_classes: int) -> Tensor:
    """Votes for each class on each item of a batch: (n, n_classes)."""
    counts = torch.zeros(len(batch), n_classes)
    return counts.index_put((batch.item, batch.label), batch.vote_weight, accumulate=True)


def reduced_by(batch: Batch, reduction: Reduction, n_voters: int) -> float:
    """What a sum over the votes of a batch is multiplied by; zero where there are none to take the mean of."""
    if reduction == "sum":
        return 1.0
    named = max(n_voters - 1, 1)  # where nobody is named, a batch has one cell per item
    size = len(batch) * named if reduction == "cells" else float(batch.vote_weight.sum())
    return 1.0 / size if size > 0 else 0.0


def price_per_vote(batch: Batch, reduction: Reduction, crowd: Crowd) -> float:
    """What a price for the whole training is multiplied by in a batch: it weighs the same by any reduction."""
    share = reduced_by(batch, reduction, crowd.n_voters) * float(batch.vote_weight.sum())
    return (1.0 if reduction == "votes" else share) / crowd.n_votes


def all_pairs(n: int, n_voters: int) -> tuple[Tensor, Tensor]:
    """Item and worker of every cell of items x named workers."""
    item, worker = np.divmod(np.arange(n * (n_voters - 1)), max(n_voters - 1, 1))
    return torch.from_numpy(item), torch.from_numpy(worker)


def diagonal_start(n_classes: int, right: float = 0.8) -> NDArray[np.float64]:
    """A confusion matrix with so much on its diagonal, and the rest spread evenly."""
    matrix = np.full((n_classes, n_classes), (1 - right) / max(n_classes - 1, 1))
    np.fill_diagonal(matrix, right)
    return matrix
