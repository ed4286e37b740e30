"""The plain mean of the crowd's posterior and the classifier's probabilities."""

from dataclasses import dataclass

import numpy as np

from quorate.data.votes import Votes
from quorate.decision.base import Fused, Machines
from quorate.decision.belief import Belief
from quorate.decision.classifier_weights import log_machines, machine_prior
from quorate.decision.crowd_em import by_bayes, fit_by_em
from quorate.inference.bayes import clamp_gold
from quorate.inference.crowd_model import Crowd
from quorate.typing import Array, Gold


@dataclass(frozen=True, kw_only=True)
class Average:
    """The mean of the crowd's posterior and the classifier: P = (P_crowd + P_ml) / 2; P_ml before any vote.

    Model: P_crowd follows from the votes alone by Bayes' rule (eq 3). A mean is never surer than its parts: if the
    classifier says .5, no number of votes takes it above .75. On CIFAR-10H it cost 1.3 to 2.2 times as much as a
    product.

    Use it when: you want to reproduce the paper's figures.

    Paper: "Hybrid classification services" (paper A), section 4.

    >>> votes = Votes.from_matrix([[0, 0], [1, 1]])
    >>> machines = {"machine": np.array([[0.5, 0.5], [0.5, 0.5]])}
    >>> bool(Average().fit(votes, machines).posterior(votes, machines).max() <= 0.75)
    True
    """

    def fit(
        self, votes: Votes, machines: Machines, gold: Gold | None = None, start: Fused | None = None
    ) -> "FusedAverage":
        """See Fusion."""
        crowd, common = fit_crowd_alone(votes, gold, start)
        return FusedAverage(crowd, common, 0.5 if machines else 0.0)


def fit_crowd_alone(votes: Votes, gold: Gold | None, start: Fused | None) -> tuple[Crowd, Array]:
    """Fit the crowd and the class prior to the votes alone, and return both."""
    shape = (votes.n_tasks, votes.n_classes)
    crowd = getattr(start, "crowd", None)  # of any fitted mean
    before = None if start is None or crowd is None else FusedAverage(crowd, start.class_prior, 0.0)
    crowd, common, _ = fit_by_em(votes, {}, lambda common: np.broadcast_to(common, shape), gold, before)
    return crowd, common


@dataclass(frozen=True, eq=False)
class FusedAverage:
    """A fitted mean. weight: share of the classifier, where there are votes."""

    crowd: Crowd
    class_prior: Array
    weight: float

    def posterior(self, votes: Votes, machines: Machines, gold: Gold | None = None) -> Array:
        """See Fused."""
        by_crowd = by_bayes(self.crowd, votes, np.broadcast_to(self.class_prior, (votes.n_tasks, votes.n_classes)))
        by_machine = machine_prior(log_machines(machines), self.class_prior, 1.0, 0.0, votes.n_tasks)
        weight = np.where(votes.votes_per_task > 0, self.weight, 1.0)[:, None]
        return clamp_gold(weight * by_machine + (1 - weight) * by_crowd, gold)

    def belief(self, votes: Votes, machines: Machines) -> Belief:
        """See Fused. A mean has no model of the next answer: voters are assumed to answer as the pool does."""
        return Belief.plain(self.posterior(votes, machines), self.crowd.next)
