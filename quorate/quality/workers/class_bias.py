"""Who names some classes too often."""

from dataclasses import dataclass

import numpy as np

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.inference.kernels import sum_at
from quorate.inference.responses import incidence
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class ClassBias:
    """How far the classes that a worker names differ from those of the same tasks: 0 is alike, 1 has none in common.

    Model: total variation, sum_k |s_k - c_k| / 2, with s_k the share of the worker's votes that say k, and c_k the mean
    over the same tasks of p(task is k).

    Use it when: workers may lean to a class or avoid one. Errors that balance each other do not show; with very few
    votes chance alone gives some.

    Paper: none; the total variation distance of the worker's marginals.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 1], [0, 0, 1], [1, 1, 1]])
    >>> ClassBias().score(votes, aggregate(votes, "majority")).tolist()
    [0.0, 0.0, 0.5]
    """

    def score(self, votes: Votes, posterior: Posterior) -> Array:
        """See WorkerScorer."""
        said, true = habits(votes, posterior)
        return np.abs(said - true).sum(axis=1) / 2


def habits(votes: Votes, posterior: Posterior) -> tuple[Array, Array]:
    """Shares of each worker's votes that say each class, and shares of the same tasks that are it: s and c above."""
    said, true, _ = _sums(votes, posterior)
    with np.errstate(invalid="ignore"):
        return said / votes.votes_per_worker[:, None], true / votes.votes_per_worker[:, None]


def surprise(votes: Votes, posterior: Posterior) -> Array:
    """How far each worker says each class too often, in standard errors: (n_workers, n_classes).

    That of McNemar's test, sum d / sqrt(sum d^2) with d = [said k] - p(task is k): zero for one who errs both ways
    alike, and for one without votes.
    """
    said, true, squares = _sums(votes, posterior)
    return np.divide(said - true, np.sqrt(squares), out=np.zeros_like(said), where=squares > 1e-9)


def _sums(votes: Votes, posterior: Posterior) -> tuple[Array, Array, Array]:
    """Sums of [said k], p(task is k) and d^2 over each worker's votes: three of (n_workers, n_classes)."""
    probs, shape = posterior.probs, (votes.n_workers + 1, votes.n_classes)
    answer = votes.voter * votes.n_classes + votes.label
    said = sum_at(answer, np.ones(len(votes)), shape)
    matrix = incidence(votes.voter, votes, votes.n_workers + 1)
    true = matrix @ probs
    both = sum_at(answer, probs[votes.task, votes.label], shape)
    squares = said - 2 * both + matrix @ probs**2
    return said[:-1], true[:-1], squares[:-1]
