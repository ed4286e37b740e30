"""Who names some classes too often."""

from dataclasses import dataclass

import numpy as np

from quorate.kernels import sum_at
from quorate.quality._answers import incidence
from quorate.results import Array, Posterior
from quorate.votes import Votes


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
        with np.errstate(invalid="ignore"):
            return np.abs(_balance(votes, posterior)[0]).sum(axis=1) / 2 / votes.votes_per_worker


def excess(votes: Votes, posterior: Posterior) -> tuple[Array, Array]:
    """How much more often each worker says each class than the tasks are it, and by how many standard errors.

    Two of (n_workers, n_classes): share of the worker's votes, and z. z is that of McNemar's test, sum d / sqrt(sum
    d^2) with d = [said k] - p(task is k): zero for one who errs both ways alike.
    """
    surplus, squares = _balance(votes, posterior)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = surplus / votes.votes_per_worker[:, None]
        return share, np.where(squares > 0, surplus / np.sqrt(squares), 0)


def _balance(votes: Votes, posterior: Posterior) -> tuple[Array, Array]:
    """Sums of d and of d^2 over each worker's votes, for each class: two of (n_workers, n_classes)."""
    probs, shape = posterior.probs, (votes.n_workers + 1, votes.n_classes)
    answer = votes.voter * votes.n_classes + votes.label
    said = sum_at(answer, np.ones(len(votes)), shape)
    matrix = incidence(votes.voter, votes, votes.n_workers + 1)
    both = sum_at(answer, probs[votes.task, votes.label], shape)
    return (said - matrix @ probs)[:-1], (said - 2 * both + matrix @ probs**2)[:-1]
