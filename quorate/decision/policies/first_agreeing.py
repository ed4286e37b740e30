"""Ask until so many voters agree."""

from dataclasses import dataclass, field
from typing import ClassVar

from quorate.data.costs import Costs, Prices
from quorate.data.decisions import Decisions
from quorate.data.option_checks import require_numbers
from quorate.data.votes import Votes
from quorate.decision.base import NO_WARM_UP, Fused, Machines, PoolState, WarmUp
from quorate.decision.policies._build import asks_crowd
from quorate.decision.policies.consensus import fit_majority
from quorate.typing import Gold

REASONS = ("enough voters agree, or it has had all its votes", "too few voters agree")


@dataclass(frozen=True, kw_only=True)
class FirstAgreeing:
    """ "Three agree, five at most": ask until `agree` voters say the same, or `most` have been asked; then majority.

    Model: stop when a class has `agree` votes, or a task has `most` (0 = all that can be had). How common each class is
    decides ties.

    Use it when: a rule is wanted that everybody understands and that needs no model of workers. It saves the votes
    that could not change a majority of five.

    Paper: none; citizen science and labelling services use it as "minimum agreement" or "early retirement".

    >>> import numpy as np
    >>> from quorate.decision.base import PoolState
    >>> policy = FirstAgreeing(costs=Costs.of_error(100, 2))
    >>> votes = Votes.from_counts([[3, 0], [2, 2], [3, 2]])
    >>> model = policy.fit(votes, {})
    >>> state = PoolState(votes=votes, machines={}, model=model, gold=np.full(3, -1), open=np.ones((3, 1), bool))
    >>> policy.decide(state).action.tolist()
    [0, 1, 0]
    """

    uses_machines: ClassVar[bool] = False

    costs: Costs
    prices: Prices = field(default_factory=Prices)
    agree: int = 3
    most: int = 5

    def __post_init__(self) -> None:
        require_numbers(self, "agree", at_least=1)
        require_numbers(self, "most", at_least=0, note="zero is no limit")

    def warm_up(self, n_tasks: int, machines: Machines) -> WarmUp:
        """See Policy."""
        return NO_WARM_UP

    def fit(self, votes: Votes, machines: Machines, gold: Gold | None = None, start: Fused | None = None) -> Fused:
        """See Policy."""
        return fit_majority(votes, gold)

    def decide(self, state: PoolState) -> Decisions:
        """See Policy."""
        votes = state.votes
        wants = votes.counts().max(axis=1) < self.agree
        if self.most:
            wants &= votes.votes_per_task < self.most
        return asks_crowd(self, state, state.model.posterior(votes, {}), wants, REASONS)
