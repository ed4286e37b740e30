"""Entropy of the votes on a task, weighted by accuracy."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from quorate.ambiguity.entropy import entropy
from quorate.data.item_scores import End
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.inference.kernels import sum_at
from quorate.inference.responses import response_probs
from quorate.protocols import Reads
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class Uncertainty:
    """The entropy of a task's votes, softened by worker accuracy: 0 where all agree. High is ambiguous.

    Model: H_i = -sum_k q_i(k) log q_i(k), natural logarithm, at most log(classes). q_i is the mean over the votes of
    task i of a_j for the class that worker j voted for and (1 - a_j) / (classes - 1) for each other, with a_j the
    worker's accuracy under the method's worker model. If the method has none, a_j is 1 and q_i are the plain vote
    shares. NaN for a task without votes.

    Use it when: you look for items that people see differently. The uncertainty of the posterior shrinks as votes come
    in; this does not: a task that splits a large crowd in halves stays uncertain.

    Paper: Shannon, "A mathematical theory of communication", 1948; with skills as crowd-kit's metric of this name.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 1]])
    >>> Uncertainty().score(votes, aggregate(votes, "majority")).round(3).tolist()
    [0.637, 0.0]
    """

    ambiguous: ClassVar[End] = "high"
    reads: ClassVar[Reads] = "votes"

    def score(self, votes: Votes, posterior: Posterior, trace: Array | None = None) -> Array:
        """See ItemScorer."""
        right = _accuracy(votes, posterior)[votes.voter]
        wrong = (1 - right) / (votes.n_classes - 1)
        total = sum_at(votes.cell, right - wrong, (votes.n_tasks, votes.n_classes))
        total += sum_at(votes.task, wrong, (votes.n_tasks,))[:, None]
        with np.errstate(invalid="ignore"):
            shares = total / votes.votes_per_task[:, None]
        return entropy(shares)


def _accuracy(votes: Votes, posterior: Posterior) -> Array:
    """Return the accuracy of every worker, the anonymous voter last: (n_workers + 1,)."""
    if posterior.worker_model is None:
        return np.ones(votes.n_workers + 1)
    probs_of_label = response_probs(votes, posterior)
    return posterior.class_prior @ np.array([probs_of_label(k)[:, k].copy() for k in range(votes.n_classes)])
