"""How far a worker's answers depend on the truth."""

from dataclasses import dataclass

import numpy as np

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.inference.responses import nan_without_votes, response_probs
from quorate.typing import Array


@dataclass(frozen=True, kw_only=True)
class SpamScore:
    """How far a worker's answers depend on the truth: 0 is a spammer, 1 tells all classes apart.

    Model: sum over pairs of classes k < l and answers s of (C[k, s] - C[l, s])^2, divided by K (K - 1), C the worker's
    confusion matrix; with two classes (sensitivity + specificity - 1)^2. The matrix is the method's own; where it has
    none, votes are counted against the posterior with 8 pseudo-votes per row, spread as the crowd answers.

    Use it when: you look for workers whose answers carry nothing, even where a lucky bias makes them look accurate. A
    worker who is always wrong has a high score: their answers tell the truth, read backwards. See confusion_trace.

    Paper: Raykar and Yu, "Eliminating spammers and ranking annotators for crowdsourced labeling tasks", JMLR 2012.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 0, 0, 1], [1, 1, 0, 0]] * 20)
    >>> SpamScore().score(votes, aggregate(votes, shrink="none")).round(2).tolist()
    [1.0, 1.0, 0.0, 1.0]
    """

    def score(self, votes: Votes, posterior: Posterior) -> Array:
        """See WorkerScorer."""
        given, size = response_probs(votes, posterior), votes.n_classes
        total = np.zeros(votes.n_workers)
        for said in range(size):
            chance = given(said)[:-1]  # (n_workers, true); the squares of all differences, by their sum and squares
            total += size * (chance**2).sum(axis=1) - chance.sum(axis=1) ** 2
        return nan_without_votes(votes, np.clip(total / (size * (size - 1)), 0, 1))
