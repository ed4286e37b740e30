"""Ask while a vote is worth more than it costs: the engine."""

from dataclasses import dataclass, field

import numpy as np

from quorate.costs import CROWD, Costs, Prices
from quorate.decision.fusion.difficulty import Difficulty
from quorate.decision.value import value_of_asking
from quorate.decisions import ACCEPT, ASK, NOBODY, Decisions
from quorate.protocols import Fused, Fusion, Gold, Machines, PoolState, WarmUp
from quorate.votes import Votes

MOST_WARM_UP = 150  # tasks
REASONS = ("no vote is worth its price", "a vote is worth more than its price", "no more votes can be had")


@dataclass(frozen=True, kw_only=True)
class ExpectedLoss:
    """Accept where the expected cost of an error is lower than what votes would cost to lower it; else ask.

    fusion: how machines and votes are added up. horizon: how many votes are looked ahead; 0 = ten of two classes, five
    of more.
    """

    costs: Costs
    prices: Prices = field(default_factory=Prices)
    fusion: Fusion = field(default_factory=Difficulty)
    horizon: int = 0

    def warm_up(self, n_tasks: int, machines: Machines) -> WarmUp:
        """See Policy. The more is at stake, the more is seen first; a machine that is there is only put to the test."""
        stakes = np.sqrt(n_tasks * self.costs.matrix.max() / self.prices.of(CROWD))
        tasks, votes = (stakes / 4, 1) if machines else (stakes / 3, 2)
        return WarmUp(int(min(MOST_WARM_UP, n_tasks / 3, tasks)), votes)

    def fit(self, votes: Votes, machines: Machines, gold: Gold | None = None, start: Fused | None = None) -> Fused:
        """See Policy."""
        return self.fusion.fit(votes, machines, gold, start)

    def decide(self, state: PoolState) -> Decisions:
        """See Policy."""
        outlook = state.model.outlook(state.votes, state.machines)
        label, cost = self.costs.cheapest(outlook.probs)
        horizon = self.horizon or (10 if self.costs.n_classes == 2 else 5)
        value = value_of_asking(outlook, self.costs, self.prices.of(CROWD), horizon)
        there = state.open[:, self.prices.kinds.index(CROWD)]
        ask = (value > 0) & there
        return Decisions(
            tasks=state.votes.tasks,
            classes=state.votes.classes,
            kinds=self.prices.kinds,
            action=np.where(ask, ASK, ACCEPT).astype(np.int8),
            label=label,
            ask=np.where(ask, self.prices.kinds.index(CROWD), NOBODY).astype(np.int8),
            expected_cost=cost,
            value=value,
            probs=outlook.probs,
            reason=np.where(value > 0, np.where(there, 1, 2), 0).astype(np.int8),
            reasons=REASONS,
            frame_kind=state.votes.frame_kind,
        )
