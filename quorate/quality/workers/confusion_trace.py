"""Trace of the confusion matrix."""

from dataclasses import dataclass

import numpy as np

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.inference.responses import nan_without_votes, response_probs
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class ConfusionTrace:
    """Balanced accuracy: how often a worker is right, with equal weight for every class; 1 / classes is chance.

    Model: sum_k C[k, k] / K, with C the worker's confusion matrix: the method's own, or counted as for spam_score.

    Use it when: one class is common. A worker who always names it has a high accuracy, and a trace no better than
    chance.

    Paper: Lefort et al., "Identify ambiguous tasks combining crowdsourced labels by weighting areas under the margin",
    TMLR 2024, where workers are ranked by it.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 0, 0]] * 45 + [[1, 1, 0]] * 5)
    >>> ConfusionTrace().score(votes, aggregate(votes, "dawid_skene", shrink="none")).round(2).tolist()
    [1.0, 1.0, 0.5]
    """

    def score(self, votes: Votes, posterior: Posterior) -> Array:
        """See WorkerScorer."""
        probs_of_label = response_probs(votes, posterior)
        diagonal = np.array([probs_of_label(k)[:-1, k].copy() for k in range(votes.n_classes)])
        return nan_without_votes(votes, diagonal.mean(axis=0))
