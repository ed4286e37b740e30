"""Wawa: votes weighted by their worker's agreement with the majority."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from quorate.aggregation._agreement import normalise_rows
from quorate.aggregation.majority import Majority
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.inference.bayes import PriorKnowledge
from quorate.inference.kernels import sum_at


@dataclass(frozen=True, kw_only=True)
class Wawa:
    """Wawa (worker agreement with aggregate): votes weighted by their worker's agreement with the majority.

    Model: skill_j = share of the votes of worker j that agree with the majority (ties count in part); p(k) is
    proportional to the sum of skill_j over the workers j who voted for k. A prior counts as one more vote, of skill 1.

    Use it when: you want weights that can be explained in one sentence. The worker's own vote is part of the majority,
    which favours workers on tasks with few votes; weighted_majority avoids that.

    Paper: Appen, "Calculating worker agreement with aggregate (WAWA)", success.appen.com.

    >>> from quorate import Votes
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 1], [0, 0, 1], [1, -1, 0]])
    >>> Wawa().aggregate(votes).probs.round(3).tolist()
    [[0.833, 0.167], [0.0, 1.0], [0.833, 0.167], [0.3, 0.7]]
    """

    def aggregate(self, votes: Votes, prior: ArrayLike | None = None, gold: ArrayLike | None = None) -> Posterior:
        """See Aggregator."""
        knowledge = PriorKnowledge.of(votes, prior, gold)
        cell, voter, n_votes = votes.cell, votes.voter, votes.votes_per_voter
        majority = Majority().aggregate(votes, prior=prior, gold=gold).probs
        skill = sum_at(voter, majority.ravel()[cell], n_votes.shape) / np.maximum(n_votes, 1)
        weight = sum_at(cell, skill[voter], majority.shape) + (0.0 if knowledge.prior is None else knowledge.prior)
        probs = normalise_rows(weight)
        class_prior = knowledge.class_prior(knowledge.clamp(probs))
        return Posterior.of(votes, knowledge.fill_uninformed(probs, class_prior), class_prior=class_prior)
