"""Preference of workers for some classes."""

from dataclasses import dataclass

import numpy as np

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.inference.kernels import sum_at
from quorate.inference.responses import incidence
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class ClassBias:
    """The difference between the classes of a worker's votes and those of the same tasks: 0 is none, 1 is total.

    Model: total variation, sum_k |s_k - c_k| / 2, with s_k the share of the worker's votes for class k, and c_k the
    mean over the same tasks of p(task is k).

    Use it when: workers may prefer or avoid a class. Errors that balance each other do not show; with very few votes,
    some bias occurs by chance.

    Paper: none; the total variation distance of the worker's marginals.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 1], [0, 0, 1], [1, 1, 1]])
    >>> ClassBias().score(votes, aggregate(votes, "majority")).tolist()
    [0.0, 0.0, 0.5]
    """

    def score(self, votes: Votes, posterior: Posterior) -> Array:
        """See WorkerScorer."""
        labels, true = class_shares(votes, posterior)
        return np.abs(labels - true).sum(axis=1) / 2


def class_shares(votes: Votes, posterior: Posterior) -> tuple[Array, Array]:
    """Return the class shares of each worker's votes and of the same tasks, s and c of ClassBias."""
    counts, true, _ = _sums(votes, posterior)
    with np.errstate(invalid="ignore"):
        return counts / votes.votes_per_worker[:, None], true / votes.votes_per_worker[:, None]


def excess_z(votes: Votes, posterior: Posterior) -> Array:
    """Return by how much each worker names each class too often, in standard errors: (n_workers, n_classes).

    The statistic is that of McNemar's test, sum d / sqrt(sum d^2) with d = [label = k] - p(task is k): zero for a
    worker whose errors balance, and for one without votes.
    """
    counts, true, squares = _sums(votes, posterior)
    return np.divide(counts - true, np.sqrt(squares), out=np.zeros_like(counts), where=squares > 1e-9)


def _sums(votes: Votes, posterior: Posterior) -> tuple[Array, Array, Array]:
    """Return sums of [label = k], p(task is k) and d^2 over each worker's votes: three of (n_workers, n_classes)."""
    probs, shape = posterior.probs, (votes.n_workers + 1, votes.n_classes)
    cell = votes.voter * votes.n_classes + votes.label
    counts = sum_at(cell, np.ones(len(votes)), shape)
    matrix = incidence(votes.voter, votes, votes.n_workers + 1)
    true = matrix @ probs
    both = sum_at(cell, probs[votes.task, votes.label], shape)
    squares = counts - 2 * both + matrix @ probs**2
    return counts[:-1], true[:-1], squares[:-1]
