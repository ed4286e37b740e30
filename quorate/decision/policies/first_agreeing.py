"""Ask until a number of voters agree."""

from dataclasses import dataclass, field
from typing import ClassVar

from quorate.data.costs import Costs, Prices
from quorate.data.decisions import Decisions
from quorate.data.option_checks import require_numbers
from quorate.data.votes import Votes
from quorate.decision.base import NO_WARM_UP, Fused, Machines, PoolState, WarmUp
from quorate.decision.policies._build import crowd_decisions
from quorate.decision.policies.consensus import fit_majority
from quorate.typing import Gold

REASONS = ("enough voters agree, or the vote limit is reached", "too few voters agree")


@dataclass(frozen=True, kw_only=True)
class FirstAgreeing:
    """Ask until `agree` voters give the same answer or `most` have voted, then accept the majority.

    Model: "three agree, five at most": stop when a class has `agree` votes, or a task has `most` votes. Ties go to the
    more common class.

    Args:
        costs: costs of errors.
        prices: price of a vote of each annotator kind.
        agree: number of votes for one class.
        most: number of votes on a task, at most; 0 = no limit.

    Use it when: you want a rule that everybody understands and that needs no model of workers. It saves the votes that
    could not change a majority of five.

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
        require_numbers(self, "most", at_least=0, note="zero means no limit")

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
        return crowd_decisions(self, state, state.model.posterior(votes, {}), wants, REASONS)
