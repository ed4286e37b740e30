"""Accept what the machine says of every task."""

from dataclasses import dataclass, field

import numpy as np

from quorate.data.costs import Costs, Prices
from quorate.data.decisions import Decisions
from quorate.data.votes import Votes
from quorate.decision.base import NO_WARM_UP, Fused, Machines, PoolState, WarmUp
from quorate.decision.belief import Outlook
from quorate.decision.policies._build import asks_crowd, first_votes
from quorate.decision.policies.consensus import ByMajority, fit_majority, machine_probs
from quorate.inference.bayes import clamp_gold
from quorate.typing import Array, Gold

REASONS = ("the machine's label is taken", "")


@dataclass(frozen=True, kw_only=True)
class MachineOnly:
    """The machine labels every task; people only teach it.

    Model: P(class) is what the machine says; of several machines, the normalised geometric mean. Where there is none,
    how common each class is. The cheapest label is accepted, whatever people have said.

    Use it when: the machine is known to be good enough. It is a yardstick: what people add must show against it.

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
        """See Policy. A machine that is there from the start needs none."""
        return NO_WARM_UP if machines else first_votes(n_tasks)

    def fit(self, votes: Votes, machines: Machines, gold: Gold | None = None, start: Fused | None = None) -> Fused:
        """See Policy."""
        return MachineElsePrior(fit_majority(votes, gold))

    def decide(self, state: PoolState) -> Decisions:
        """See Policy."""
        probs = state.model.outlook(state.votes, state.machines).probs
        return asks_crowd(self, state, probs, np.zeros(len(probs), dtype=bool), REASONS)


@dataclass(frozen=True, eq=False)
class MachineElsePrior:
    """What machines say; else how common the classes are."""

    crowd: ByMajority

    @property
    def class_prior(self) -> Array:
        """How common each class is."""
        return self.crowd.class_prior

    def posterior(self, votes: Votes, machines: Machines, gold: Gold | None = None) -> Array:
        """See Fused."""
        return clamp_gold(self.outlook(votes, machines).probs, gold)

    def outlook(self, votes: Votes, machines: Machines) -> Outlook:
        """See Fused."""
        said = machine_probs(machines)
        if said is None:
            said = np.tile(self.class_prior, (votes.n_tasks, 1))
        return Outlook.plain(said, self.crowd.pool)
