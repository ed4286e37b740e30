"""Accept the classifier's label for every task."""

from dataclasses import dataclass, field

import numpy as np

from quorate.data.costs import Costs, Prices
from quorate.data.decisions import Decisions
from quorate.data.votes import Votes
from quorate.decision.base import NO_WARM_UP, Fused, Machines, PoolState, WarmUp
from quorate.decision.belief import Belief
from quorate.decision.policies._build import crowd_decisions, default_warm_up
from quorate.decision.policies.consensus import ByMajority, fit_majority, machine_probs
from quorate.inference.bayes import clamp_gold
from quorate.typing import Array, Gold

REASONS = ("the classifier's label is accepted", "")


@dataclass(frozen=True, kw_only=True)
class MachineOnly:
    """Accept the classifier's label for every task; people only provide training labels.

    Model: P(class) is the classifier's probability; with several classifiers, the normalised geometric mean; without
    any, the class prior. The cheapest label is accepted, whatever people have answered.

    Use it when: the classifier is known to be good enough. As a baseline it shows what people add.

    Paper: none; it is the baseline "ML only" of the hybrid classification papers.

    >>> from quorate.decision.base import PoolState
    >>> policy = MachineOnly(costs=Costs.of_error(100, 2))
    >>> votes = Votes.from_counts([[0, 0], [3, 0]])
    >>> machines = {"m": np.array([[0.6, 0.4], [0.2, 0.8]])}
    >>> model = policy.fit(votes, machines)
    >>> state = PoolState(
    ...     votes=votes, machines=machines, model=model, gold=np.array([-1, -1]), open=np.ones((2, 1), bool)
    ... )
    >>> policy.decide(state).label.tolist()
    [0, 1]
    """

    costs: Costs
    prices: Prices = field(default_factory=Prices)

    def warm_up(self, n_tasks: int, machines: Machines) -> WarmUp:
        """See Policy. A classifier that exists from the start needs none."""
        return NO_WARM_UP if machines else default_warm_up(n_tasks)

    def fit(self, votes: Votes, machines: Machines, gold: Gold | None = None, start: Fused | None = None) -> Fused:
        """See Policy."""
        return MachineElsePrior(fit_majority(votes, gold))

    def decide(self, state: PoolState) -> Decisions:
        """See Policy."""
        probs = state.model.belief(state.votes, state.machines).probs
        return crowd_decisions(self, state, probs, np.zeros(len(probs), dtype=bool), REASONS)


@dataclass(frozen=True, eq=False)
class MachineElsePrior:
    """A Fused that takes the classifiers' probabilities, otherwise the class prior."""

    crowd: ByMajority

    @property
    def class_prior(self) -> Array:
        """Probability of each class before anything is known of a task."""
        return self.crowd.class_prior

    def posterior(self, votes: Votes, machines: Machines, gold: Gold | None = None) -> Array:
        """See Fused."""
        return clamp_gold(self.belief(votes, machines).probs, gold)

    def belief(self, votes: Votes, machines: Machines) -> Belief:
        """See Fused."""
        probs = machine_probs(machines)
        if probs is None:
            probs = np.tile(self.class_prior, (votes.n_tasks, 1))
        return Belief.plain(probs, self.crowd.pool)
