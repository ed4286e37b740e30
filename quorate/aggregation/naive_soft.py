"""Vote shares as soft labels."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.inference.bayes import PriorKnowledge


@dataclass(frozen=True, kw_only=True)
class NaiveSoft:
    """Vote shares: the share of the votes for each class, as soft labels.

    Model: p(k) = (votes for k) / (votes). A prior counts as one more vote, spread over the classes.

    Use it when: disagreement between people matters in itself, as in soft targets for a classifier. The shares are not
    calibrated: three equal votes give certainty.

    Paper: Lefort et al., "Identify ambiguous tasks combining crowdsourced labels by weighting Areas Under the Margin",
    TMLR 2024, eq. 6.

    >>> from quorate import Votes
    >>> votes = Votes.from_matrix([[0, 0, 1, 1], [1, 1, 1, 0]])
    >>> NaiveSoft().aggregate(votes).probs.tolist()
    [[0.5, 0.5], [0.25, 0.75]]
    """

    def aggregate(self, votes: Votes, prior: ArrayLike | None = None, gold: ArrayLike | None = None) -> Posterior:
        """See Aggregator."""
        knowledge = PriorKnowledge.of(votes, prior, gold)
        weight = votes.counts() + (0.0 if knowledge.prior is None else knowledge.prior)
        probs = weight / np.maximum(weight.sum(axis=1, keepdims=True), 1)
        class_prior = knowledge.class_prior(knowledge.clamp(probs))
        return Posterior.of(votes, knowledge.fill_uninformed(probs, class_prior), class_prior=class_prior)
