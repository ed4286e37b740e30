"""Shared parts of heads: the description of the crowd, and the masked loss over votes."""

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
    """What a head must know of the workers to be built.

    Args:
        n_classes: number of classes.
        n_voters: rows of a table of workers: one per named worker, and a last one for all anonymous workers.
        votes_per_voter: votes in training, (n_voters,); None if unknown, as when a network is loaded.
        confusion: confusion matrices of the posterior, (n_voters, true, voted); None if unknown.
    """

    n_classes: int
    n_voters: int
    votes_per_voter: NDArray[np.int64] | None = None
    confusion: Array | None = None

    @property
    def n_votes(self) -> int:
        """Number of votes in training, at least one."""
        return 1 if self.votes_per_voter is None else max(int(self.votes_per_voter.sum()), 1)

    @property
    def has_votes(self) -> Tensor:
        """Mask of workers with votes, (n_voters,), all true if unknown. Penalties leave out the other workers."""
        counts = np.ones(self.n_voters) if self.votes_per_voter is None else self.votes_per_voter
        return torch.from_numpy(counts > 0)

    @classmethod
    def of(cls, votes: Votes, posterior: Posterior) -> "Crowd":
        """Describe the crowd behind these votes."""
        confusion = None
        if posterior.worker_model is not None:
            index = lookup(votes.workers, posterior.workers)  # -1: not in the posterior, treated as anonymous
            confusion = np.exp(response_log_probs(posterior.worker_model, index, votes.n_classes))
        return cls(votes.n_classes, votes.n_workers + 1, votes.votes_per_voter, confusion)


def vote_loss(log_probs: Tensor, batch: Batch, criterion: Criterion, reduction: Reduction, n_voters: int) -> Tensor:
    """Return the loss over the votes of a batch (masked multi cross-entropy); missing votes do not contribute.

    Args:
        log_probs: (n_votes, n_classes), log-probabilities of the vote of each worker on its item.
        batch: items and their votes.
        criterion: loss per vote.
        reduction: "votes" for the mean over votes; "sum" for their sum (paper E); "cells" for the mean over all cells
            of items x workers, as in the original Keras code.
        n_voters: rows of the table of workers.
    """
    n_classes = log_probs.shape[1]
    labels = torch.nn.functional.one_hot(batch.label, n_classes).to(log_probs.dtype)
    total = (batch.vote_weight * criterion(log_probs, labels)).sum()
    return total * reduction_factor(batch, reduction, n_voters)


def take_rows(table: Tensor, rows: Tensor) -> Tensor:
    """Return rows of a table, (n, ...); the gradient is several times faster than that of table[rows]."""
    taken = torch.nn.functional.embedding(rows, table.flatten(1))
    return taken if table.ndim == 2 else taken.unflatten(1, table.shape[1:])


def vote_counts(batch: Batch, n_classes: int) -> Tensor:
    """Count the votes for each class on each item of a batch: (n, n_classes)."""
    counts = torch.zeros(len(batch), n_classes)
    return counts.index_put((batch.item, batch.label), batch.vote_weight, accumulate=True)


def reduction_factor(batch: Batch, reduction: Reduction, n_voters: int) -> float:
    """Return the factor that reduces a sum over the votes of a batch; 0 for the mean of no votes."""
    if reduction == "sum":
        return 1.0
    named = max(n_voters - 1, 1)  # without named workers, a batch has one cell per item
    size = len(batch) * named if reduction == "cells" else float(batch.vote_weight.sum())
    return 1.0 / size if size > 0 else 0.0


def penalty_scale(batch: Batch, reduction: Reduction, crowd: Crowd) -> float:
    """Return the factor of a penalty in a batch, so that its weight over training is the same for any reduction."""
    share = reduction_factor(batch, reduction, crowd.n_voters) * float(batch.vote_weight.sum())
    return (1.0 if reduction == "votes" else share) / crowd.n_votes


def all_pairs(n: int, n_voters: int) -> tuple[Tensor, Tensor]:
    """Return the item and the worker of every cell of items x named workers."""
    item, worker = np.divmod(np.arange(n * (n_voters - 1)), max(n_voters - 1, 1))
    return torch.from_numpy(item), torch.from_numpy(worker)


def initial_confusion(n_classes: int, accuracy: float = 0.8) -> NDArray[np.float64]:
    """Return a confusion matrix with this accuracy on its diagonal, and errors spread evenly."""
    matrix = np.full((n_classes, n_classes), (1 - accuracy) / max(n_classes - 1, 1))
    np.fill_diagonal(matrix, accuracy)
    return matrix
