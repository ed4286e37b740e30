"""Majority vote weighted by agreement with others."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from quorate.aggregation._agreement import agreement_with_others
from quorate.data.option_checks import require_numbers
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.data.worker_models import LEAST_STRENGTH, Coin
from quorate.inference.bayes import PriorKnowledge
from quorate.inference.kernels import sum_at
from quorate.typing import Array

MIN_SQUARED_SKILL = 0.01  # of the pool: a crowd always counts as slightly better than chance


@dataclass(frozen=True, kw_only=True)
class WeightedMajority:
    """Weighted majority vote: a vote weighs the log-odds of its worker's accuracy, estimated in one step.

    Model: score(k) = sum of log(a_j (K - 1) / (1 - a_j)) over the workers j who voted for k, and p = softmax(score).
    With skill r = (K a - 1) / (K - 1), zero for chance and one for a perfect worker, two workers agree with probability
    A where (K A - 1) / (K - 1) = r_i r_j. All pairs of votes on a task estimate r^2 of the pool, the pairs of worker j
    estimate r_j r; r_j is the second divided by the root of the first, shrunk towards the pool with `strength`
    pseudo-votes. A worker's own vote does not count as evidence for them; a gold label counts as a vote that is
    certainly right.

    Use it when: you want most of the accuracy of one_coin, in one step without iteration.

    Paper: Nitzan and Paroush, "Optimal decision rules in uncertain dichotomous choice situations", International
    Economic Review 1982, for the weights.

    >>> from quorate import Votes
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 0]])
    >>> WeightedMajority().aggregate(votes).labels.tolist()
    [0, 1, 0, 1]
    """

    strength: float = 8.0

    def __post_init__(self) -> None:
        require_numbers(self, "strength", above=LEAST_STRENGTH)

    def aggregate(self, votes: Votes, prior: ArrayLike | None = None, gold: ArrayLike | None = None) -> Posterior:
        """See Aggregator."""
        knowledge = PriorKnowledge.of(votes, prior, gold)
        others = votes.n_classes - 1
        accuracy = (others * self._skill(votes, knowledge) + 1) / votes.n_classes
        log_odds = np.log(accuracy * others / (1 - accuracy))
        probs = sum_at(votes.cell, log_odds[votes.voter], (votes.n_tasks, votes.n_classes))
        class_prior = knowledge.uniform_prior(votes.n_classes)
        knowledge.apply_bayes_rule(probs, class_prior)
        return Posterior.of(votes, probs, class_prior=class_prior, worker_model=Coin(accuracy, votes.n_classes))

    def _skill(self, votes: Votes, knowledge: PriorKnowledge) -> Array:
        """Return the skill of each worker, the pool's last: (n_workers + 1,)."""
        n_classes, voter, shape = votes.n_classes, votes.voter, votes.votes_per_voter.shape
        pairs, agreeing = agreement_with_others(votes)
        beyond_chance = (n_classes * agreeing - pairs) / (n_classes - 1)
        # Pseudo-pairs with a skill of one half: the pool is never perfect, and defined without any pairs.
        squared = (beyond_chance.sum() + self.strength / 4) / (pairs.sum() + self.strength)
        pool = np.sqrt(max(squared, MIN_SQUARED_SKILL))
        by_others = np.clip(beyond_chance / np.maximum(pairs, 1) / pool, -1 / (n_classes - 1), 1)
        truth = knowledge.gold[votes.task]
        n_gold = sum_at(voter, (truth >= 0).astype(np.float64), shape)
        n_right = sum_at(voter, (truth == votes.label).astype(np.float64), shape)
        by_gold = (n_classes * n_right - n_gold) / (n_classes - 1)  # summed over votes
        compared = (truth < 0) & (votes.votes_per_task > 1)[votes.task]
        n_votes = sum_at(voter, compared.astype(np.float64), shape)
        return (n_votes * by_others + by_gold + self.strength * pool) / (n_votes + n_gold + self.strength)
