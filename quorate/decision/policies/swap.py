"""Ask until the posterior is high enough: retirement as in Zooniverse projects."""

from dataclasses import dataclass, field, replace

from quorate.data.costs import Costs, Prices
from quorate.data.decisions import Decisions
from quorate.data.option_checks import require_choices, require_numbers
from quorate.data.votes import Votes
from quorate.decision.base import Fused, Machines, PoolState, WarmUp
from quorate.decision.policies._build import crowd_decisions, default_warm_up
from quorate.decision.policies.consensus import Matrices, fit_matrices
from quorate.typing import Gold

REASONS = ("the posterior is high enough, or the vote limit is reached", "the posterior is not high enough")


@dataclass(frozen=True, kw_only=True)
class Swap:
    """Bayes' rule with a confusion matrix per worker; a task retires when its posterior passes a threshold.

    Model: P(k | votes) in proportion to rho_k * prod_j C_j[k, vote_j], with matrices C_j fitted as votes arrive. Ask
    while max_k P(k | votes) < retire. Without a classifier each task gets at least one vote.

    Args:
        costs: costs of errors.
        prices: price of a vote of each annotator kind.
        retire: posterior probability at which no more votes are asked for.
        most: number of votes on a task, at most; 0 = no limit.
        machine: whether the classifier's probabilities are the prior of a task; otherwise the class prior is.
        matrices: "dawid_skene", or "anchored": the same, but workers with few votes are not trusted too much.

    Use it when: tasks come as in citizen science, and you want a confident answer rather than a cheap one: it does not
    consider what an error costs.

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
        require_numbers(self, "most", at_least=0, note="zero means no limit")

    @property
    def uses_machines(self) -> bool:
        """See Policy."""
        return self.machine

    def warm_up(self, n_tasks: int, machines: Machines) -> WarmUp:
        """See Policy."""
        return default_warm_up(n_tasks)

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
        return crowd_decisions(self, state, probs, wants, REASONS)
