"""Vote shares weighted by confusion matrices."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from quorate.aggregation._agreement import normalise_rows
from quorate.aggregation.dawid_skene import DawidSkene, Shrink
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.inference.bayes import PriorKnowledge
from quorate.inference.kernels import sum_at


@dataclass(frozen=True, kw_only=True)
class WeightedDawidSkene:
    """WDS: vote shares, each vote weighted by the worker's accuracy on its label under Dawid-Skene.

    Model: p(k) is proportional to the sum of C_j[k, k] over the workers j who voted for k, with C_j the confusion
    matrix of worker j by dawid_skene. A prior counts as one more vote.

    Use it when: you want soft labels that keep the disagreement of people, as naive_soft does, but trust good workers
    more.

    Paper: Lefort et al., "Identify ambiguous tasks combining crowdsourced labels by weighting Areas Under the Margin",
    TMLR 2024, eq. 9.

    Args:
        shrink: centre of the prior on a confusion matrix: "pool", "diagonal" or "none", as in dawid_skene.
        strength: weight of the prior on a row of a confusion matrix, in pseudo-votes.
        max_rounds: maximum number of rounds of EM.
        tol: smallest gain of the objective per vote that is worth another round.

    >>> from quorate import Votes
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 0]])
    >>> WeightedDawidSkene().aggregate(votes).labels.tolist()
    [0, 1, 0, 1]
    """

    shrink: Shrink = DawidSkene.shrink
    strength: float = DawidSkene.strength
    max_rounds: int = DawidSkene.max_rounds
    tol: float = DawidSkene.tol

    def aggregate(self, votes: Votes, prior: ArrayLike | None = None, gold: ArrayLike | None = None) -> Posterior:
        """See Aggregator."""
        return self.partial(votes, None, prior, gold)

    def partial(
        self, votes: Votes, fitted: Posterior | None, prior: ArrayLike | None = None, gold: ArrayLike | None = None
    ) -> Posterior:
        """See Incremental."""
        return self._reweight(
            votes, self._base.partial(votes, fitted, prior, gold), PriorKnowledge.of(votes, prior, gold)
        )

    def __post_init__(self) -> None:
        _ = self._base  # checks the options

    @property
    def _base(self) -> DawidSkene:
        return DawidSkene(shrink=self.shrink, strength=self.strength, max_rounds=self.max_rounds, tol=self.tol)

    def _reweight(self, votes: Votes, fit: Posterior, knowledge: PriorKnowledge) -> Posterior:
        assert fit.worker_model is not None
        everyone, classes = np.append(np.arange(votes.n_workers), -1)[:, None], np.arange(votes.n_classes)[None, :]
        trust = np.exp(np.diagonal(fit.worker_model.log_likelihood(everyone, classes), axis1=1, axis2=2))
        weight = sum_at(votes.cell, trust[votes.voter, votes.label], fit.probs.shape)
        weight += 0.0 if knowledge.prior is None else knowledge.prior
        # A weighted share of votes is not a product of likelihoods: it is not overconfident where votes are correlated.
        return replace(fit, probs=knowledge.fill_uninformed(normalise_rows(weight), fit.class_prior), discounted=True)
