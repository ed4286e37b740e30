"""A policy that keeps the last state and decisions of a replay, of which only the outcome is returned."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from quorate.data.costs import Costs, Prices
from quorate.data.decisions import ACCEPT, Decisions
from quorate.data.votes import Votes
from quorate.decision.base import Fused, Machines, Policy, PoolState, WarmUp
from quorate.typing import Array, Gold


@dataclass(frozen=True, kw_only=True)
class Watched:
    """Does as the policy does, and keeps what it saw last.

    only_warm_up: asks for nothing after the warm-up. ambiguity: of every task, from the votes that are shown.
    """

    policy: Policy
    only_warm_up: bool = False
    ambiguity: Callable[[Votes], Array] | None = None
    last: list[tuple[PoolState, Decisions]] = field(default_factory=list)

    @property
    def costs(self) -> Costs:
        """See Policy."""
        return self.policy.costs

    @property
    def prices(self) -> Prices:
        """See Policy."""
        return self.policy.prices

    @property
    def state(self) -> PoolState:
        """What it saw last."""
        return self.last[-1][0]

    @property
    def decisions(self) -> Decisions:
        """What it decided last."""
        return self.last[-1][1]

    def warm_up(self, n_tasks: int, machines: Machines) -> WarmUp:
        """See Policy."""
        return self.policy.warm_up(n_tasks, machines)

    def fit(self, votes: Votes, machines: Machines, gold: Gold | None = None, start: Fused | None = None) -> Fused:
        """See Policy."""
        return self.policy.fit(votes, machines, gold, start)

    def decide(self, state: PoolState) -> Decisions:
        """See Policy."""
        if self.ambiguity is not None:
            state = replace(state, ambiguity=self.ambiguity(state.votes))
        decisions = self.policy.decide(state)
        self.last[:] = [(replace(state, gold=state.gold.copy()), decisions)]
        return replace(decisions, action=np.full_like(decisions.action, ACCEPT)) if self.only_warm_up else decisions
