"""CROWDLAB's weighted mean of votes and classifier."""

from dataclasses import dataclass, replace

import numpy as np

from quorate.aggregation.crowdlab import Weights, fit_weights, weighted_average
from quorate.data.ids import lookup
from quorate.data.votes import Votes
from quorate.decision.base import Fused, Machines
from quorate.decision.belief import Belief
from quorate.decision.classifier_weights import log_machines, machine_prior
from quorate.decision.fusion.average import fit_crowd_alone
from quorate.inference.bayes import PriorKnowledge, clamp_gold
from quorate.inference.crowd_model import Crowd
from quorate.typing import Array, Gold


@dataclass(frozen=True, kw_only=True)
class Crowdlab:
    """The mean of the votes and the classifier, each weighted by how far it beats the most common class.

    Model: that of the aggregation method of the same name, with its weights fitted once and kept.

    Use it when: you want a mean that trusts a classifier only as far as it agrees with people.

    Paper: Goh, Tkachenko & Mueller, "CROWDLAB", 2022.

    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 1], [0, 0, 0], [1, 1, 1], [0, 1, -1]])
    >>> machines = {"machine": np.array([[0.8, 0.2], [0.3, 0.7], [0.9, 0.1], [0.4, 0.6], [0.1, 0.9]])}
    >>> Crowdlab().fit(votes, machines).posterior(votes, machines).round(2).tolist()
    [[0.71, 0.29], [0.23, 0.77], [0.86, 0.14], [0.27, 0.73], [0.28, 0.72]]
    """

    def fit(
        self, votes: Votes, machines: Machines, gold: Gold | None = None, start: Fused | None = None
    ) -> "FusedCrowdlab":
        """See Fusion."""
        crowd, common = fit_crowd_alone(votes, gold, start)
        weights = fit_weights(votes, PriorKnowledge.of(votes, _prior(machines, common, votes), gold))
        return FusedCrowdlab(crowd, common, weights)


@dataclass(frozen=True, eq=False)
class FusedCrowdlab:
    """A fitted Crowdlab."""

    crowd: Crowd
    class_prior: Array
    weights: Weights

    def posterior(self, votes: Votes, machines: Machines, gold: Gold | None = None) -> Array:
        """See Fused."""
        rows = np.append(lookup(votes.workers, self.crowd.workers), -1)  # unknown workers count as the anonymous one
        prior = _prior(machines, self.class_prior, votes)
        probs = weighted_average(votes, prior, replace(self.weights, workers=self.weights.workers[rows]))
        empty = probs.sum(axis=1) == 0
        probs[empty] = self.class_prior if prior is None else prior[empty]
        return clamp_gold(probs, gold)

    def belief(self, votes: Votes, machines: Machines) -> Belief:
        """See Fused. A mean has no model of the next answer: voters are assumed to answer as the pool does."""
        return Belief.plain(self.posterior(votes, machines), self.crowd.next)


def _prior(machines: Machines, class_prior: Array, votes: Votes) -> Array | None:
    logs = log_machines(machines)
    return None if logs is None else machine_prior(logs, class_prior, 1.0, 0.0, votes.n_tasks)
