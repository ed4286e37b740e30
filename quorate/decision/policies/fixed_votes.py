"""The same number of votes on every task."""

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from quorate.data.costs import Costs, Prices
from quorate.data.decisions import Decisions
from quorate.data.option_checks import require_choices, require_numbers
from quorate.data.votes import Votes
from quorate.decision.base import NO_WARM_UP, Fused, Machines, PoolState, WarmUp
from quorate.decision.policies._build import crowd_decisions
from quorate.decision.policies.consensus import fit_dawid_skene, fit_majority
from quorate.typing import Gold

Method = Literal["majority", "dawid_skene"]
REASONS = ("it has the required votes", "it does not have the required votes yet")


@dataclass(frozen=True, kw_only=True)
class FixedVotes:
    """Ask for n votes on every task, then accept what people agree on.

    Model: ask until a task has n votes. Then majority, with ties going to the more common class, or Bayes' rule with a
    confusion matrix per worker, as dawid_skene fits them.

    Args:
        costs: costs of errors.
        prices: price of a vote of each annotator kind.
        n: votes on each task; 0 = all that are available.
        method: "majority" or "dawid_skene".

    Use it when: nothing is known about costs and tasks. It is how most crowdsourcing is done, and the baseline for all
    policies that ask more where it matters more.

    Paper: Dawid and Skene, "Maximum likelihood estimation of observer error-rates using the EM algorithm", 1979.

    >>> import numpy as np
    >>> from quorate.decision.base import PoolState
    >>> policy = FixedVotes(costs=Costs.of_error(100, 2), n=3)
    >>> votes = Votes.from_counts([[1, 2], [1, 1]])
    >>> model = policy.fit(votes, {})
    >>> state = PoolState(votes=votes, machines={}, model=model, gold=np.array([-1, -1]), open=np.ones((2, 1), bool))
    >>> policy.decide(state)
    Decisions(2 tasks: 1 accept, 1 ask)
    """

    uses_machines: ClassVar[bool] = False

    costs: Costs
    prices: Prices = field(default_factory=Prices)
    n: int = 3
    method: Method = "majority"

    def __post_init__(self) -> None:
        require_choices(self)
        require_numbers(self, "n", at_least=0, note="zero means all votes")

    def warm_up(self, n_tasks: int, machines: Machines) -> WarmUp:
        """See Policy."""
        return NO_WARM_UP

    def fit(self, votes: Votes, machines: Machines, gold: Gold | None = None, start: Fused | None = None) -> Fused:
        """See Policy."""
        return fit_majority(votes, gold) if self.method == "majority" else fit_dawid_skene(votes, gold, start)

    def decide(self, state: PoolState) -> Decisions:
        """See Policy."""
        wants = (state.votes.votes_per_task < self.n) | (self.n == 0)
        return crowd_decisions(self, state, state.model.posterior(state.votes, {}), wants, REASONS)
