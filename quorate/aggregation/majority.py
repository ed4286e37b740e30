"""Majority vote."""

from dataclasses import dataclass

from numpy.typing import ArrayLike

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.inference.bayes import PriorKnowledge


@dataclass(frozen=True, kw_only=True)
class Majority:
    """Majority vote: the class with the most votes; all workers have the same weight.

    Model: p(k) = 1 / (number of tied classes) for the classes with the most votes, otherwise 0. A prior breaks ties.

    Use it when: workers are equally good, or there are too few votes to tell good from bad ones. It is the baseline
    that every other method should beat.

    Paper: none; the standard voting rule.

    >>> from quorate import Votes
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 1], [0, 1, -1]])
    >>> Majority().aggregate(votes).probs.tolist()
    [[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]]
    """

    def aggregate(self, votes: Votes, prior: ArrayLike | None = None, gold: ArrayLike | None = None) -> Posterior:
        """See Aggregator."""
        knowledge = PriorKnowledge.of(votes, prior, gold)
        counts = votes.counts()
        probs = (counts == counts.max(axis=1, keepdims=True)) * (1.0 if knowledge.prior is None else knowledge.prior)
        probs /= probs.sum(axis=1, keepdims=True)
        class_prior = knowledge.class_prior(knowledge.clamp(probs))
        return Posterior.of(votes, knowledge.fill_uninformed(probs, class_prior), class_prior=class_prior)
