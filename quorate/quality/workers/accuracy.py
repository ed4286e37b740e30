"""Accuracy under the worker model."""

from dataclasses import dataclass

import numpy as np

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.data.worker_models import worker_accuracy
from quorate.inference.responses import nan_without_votes
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class Accuracy:
    """The accuracy of each worker under the method's own worker model.

    Model: sum_k rho_k * P(label = k | true = k), rho the class prior. NaN if the method has no worker model.

    Use it when: you want the estimate of a method with a worker model, such as dawid_skene. To rank workers,
    consensus_agreement is better. With few votes, the score is little more than the prior of the model.

    Paper: none; the diagonal of the confusion matrix, weighted by the class prior.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 0]])
    >>> scores = Accuracy().score(votes, aggregate(votes, "one_coin"))
    >>> bool(scores[0] > scores[2])
    True
    """

    def score(self, votes: Votes, posterior: Posterior) -> Array:
        """See WorkerScorer."""
        if posterior.worker_model is None:
            return np.full(votes.n_workers, np.nan)
        return nan_without_votes(votes, worker_accuracy(posterior.worker_model, votes.n_workers, posterior.class_prior))
