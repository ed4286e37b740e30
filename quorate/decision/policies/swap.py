"""Ask until the posterior is sure enough: retirement as Zooniverse does it."""

from dataclasses import dataclass, field, replace

from quorate.data.costs import Costs, Prices
from quorate.data.decisions import Decisions
from quorate.data.option_checks import require_choices, require_numbers
from quorate.data.votes import Votes
from quorate.decision.base import Fused, Machines, PoolState, WarmUp
from quorate.decision.policies._build import asks_crowd, first_votes
from quorate.decision.policies.consensus import Matrices, fit_matrices
from quorate.typing import Gold

REASONS = ("it is sure enough, or has had all its votes", "it is not sure enough")


@dataclass(frozen=True, kw_only=True)
class Swap:
    """Bayes' rule by a confusion matrix per worker; a task retires when its posterior passes a threshold.

    retire: the posterior at which no more votes are asked for. most: votes on a task at most; 0 = all that can be had.
    machine: whether what machines say is the prior; else how common each class is. matrices: "dawid_skene", or
    "anchored": as there, but few votes are not taken for sure ones.

    Model: P(k | votes) in proportion to rho_k * prod_j C_j[k, said_j], matrices C_j fitted as votes come in. Ask while
    max_k P(k | votes) < retire. Without a machine each task gets one vote at least.

    Use it when: tasks come as in citizen science, and a sure answer is wanted rather than a cheap one: it does not ask
    what an error costs.

    Paper: Marshall et al., "Space Warps: I. Crowdsourcing the discovery of gravitational lenses", 2016.

    >>> import numpy as np
    >>> from quorate.decision.base import PoolState
    >>> policy = Swap(costs=Costs.of_error(100, 2))
    >>> votes = Votes.from_counts([[9, 0], [0, 9], [1, 1]])
    >>> model = policy.fit(votes, {})
    >>> state = PoolState(votes=votes, machines={}, model=model, gold=np.full(3, -1), open=np.ones((3, 1), bool))
    >>> policy.decide(state).action.tolist()
    [0, 0, 1]
    """

    costs: Costs
    prices: Prices = field(default_factory=Prices)
    retire: float = 0.95
    most: int = 0
    machine: bool = False
    matrices: Matrices = "anchored"

    def __post_init__(self) -> None:
        require_choices(self)
        require_numbers(self, "retire", above=0, at_most=1)
        require_numbers(self, "most", at_least=0, note="zero is no limit")

    @property
    def uses_machines(self) -> bool:
        """See Policy."""
        return self.machine

    def warm_up(self, n_tasks: int, machines: Machines) -> WarmUp:
        """See Policy."""
        return first_votes(n_tasks)

    def fit(self, votes: Votes, machines: Machines, gold: Gold | None = None, start: Fused | None = None) -> Fused:
        """See Policy."""
        return replace(fit_matrices(votes, gold, start, self.matrices), trust=float(self.machine))

    def decide(self, state: PoolState) -> Decisions:
        """See Policy."""
        n_votes = state.votes.votes_per_task
        probs = state.model.posterior(state.votes, state.machines)
        wants = probs.max(axis=1) < self.retire
        if not (self.machine and state.machines):
            wants |= n_votes == 0
        if self.most:
            wants &= n_votes < self.most
        return asks_crowd(self, state, probs, wants, REASONS)
