"""Dependence of a worker's labels on the true class."""

from dataclasses import dataclass

import numpy as np

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.inference.responses import nan_without_votes, response_probs
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class SpamScore:
    """How much a worker's labels depend on the true class: 0 is a spammer, 1 separates all classes.

    Model: sum over pairs of classes k < l and labels s of (C[k, s] - C[l, s])^2, divided by K (K - 1), with C the
    worker's confusion matrix; with two classes (sensitivity + specificity - 1)^2. The matrix is the method's own; if it
    has none, votes are counted against the posterior with 8 pseudo-votes per row, in proportion to the crowd's
    responses.

    Use it when: you look for workers whose votes carry no information, even if a lucky bias makes them look accurate. A
    worker who is always wrong has a high score: their votes reveal the true class. See confusion_trace.

    Paper: Raykar and Yu, "Eliminating spammers and ranking annotators for crowdsourced labeling tasks", JMLR 2012.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 0, 0, 1], [1, 1, 0, 0]] * 20)
    >>> SpamScore().score(votes, aggregate(votes, "dawid_skene", shrink="none")).round(2).tolist()
    [1.0, 1.0, 0.0, 1.0]
    """

    def score(self, votes: Votes, posterior: Posterior) -> Array:
        """See WorkerScorer."""
        probs_of_label, n_classes = response_probs(votes, posterior), votes.n_classes
        total = np.zeros(votes.n_workers)
        for label in range(n_classes):
            probs = probs_of_label(label)[:-1]  # (n_workers, true)
            total += n_classes * (probs**2).sum(axis=1) - probs.sum(axis=1) ** 2  # squared differences of all pairs
        return nan_without_votes(votes, np.clip(total / (n_classes * (n_classes - 1)), 0, 1))
