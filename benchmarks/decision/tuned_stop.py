"""Ask until the fused belief is sure enough, as sure as was cheapest on tasks with gold: a baseline."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from quorate.data.costs import CROWD, Costs, Prices
from quorate.data.decisions import Decisions
from quorate.data.votes import Votes
from quorate.decision.base import Fused, Fusion, Machines, PoolState, WarmUp
from quorate.decision.belief import Belief
from quorate.decision.policies._build import crowd_decisions, default_warm_up
from quorate.typing import Array, Gold

THRESHOLDS = (0.0, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99, 0.995, 0.999)
REASONS = ("the belief is sure enough", "the belief is not sure enough")


@dataclass(frozen=True, kw_only=True)
class TunedStop:
    """Accept where the fused belief in one class reaches t, else ask for one more vote.

    t is the cheapest on tasks with gold: their votes are counted as if asked for one by one. Without any it is `usual`.
    """

    costs: Costs
    fusion: Fusion
    prices: Prices = field(default_factory=Prices)
    usual: float = 0.95

    def warm_up(self, n_tasks: int, machines: Machines) -> WarmUp:
        """See Policy."""
        return default_warm_up(n_tasks)

    def fit(self, votes: Votes, machines: Machines, gold: Gold | None = None, start: Fused | None = None) -> "Stop":
        """See Policy."""
        model = self.fusion.fit(votes, machines, gold, start.model if isinstance(start, Stop) else None)
        rows = np.flatnonzero((votes.votes_per_task > 0) & (gold is not None and gold >= 0))
        if gold is None or not len(rows):
            return Stop(model, self.usual)
        part = {name: said[rows] for name, said in machines.items()}
        return Stop(model, self._cheapest(model, votes.subset(tasks=rows), part, gold[rows]))

    def decide(self, state: PoolState) -> Decisions:
        """See Policy."""
        assert isinstance(state.model, Stop)
        probs = state.model.posterior(state.votes, state.machines)
        return crowd_decisions(self, state, probs, probs.max(axis=1) < state.model.t, REASONS)

    def _cheapest(self, model: Fused, votes: Votes, machines: Machines, gold: Gold) -> float:
        beliefs = [model.posterior(prefix, machines) for prefix in prefixes(votes)]
        costs = [self._cost(beliefs, votes.votes_per_task, gold, t) for t in THRESHOLDS]
        return THRESHOLDS[int(np.argmin(costs))]

    def _cost(self, beliefs: list[Array], there: NDArray[np.int64], gold: Gold, t: float) -> float:
        """Mean cost of the tasks if each is asked about until its belief reaches t, or there are no more votes."""
        cost, waiting = np.zeros(len(gold)), np.ones(len(gold), dtype=bool)
        for votes, probs in enumerate(beliefs):
            stop = waiting & ((probs.max(axis=1) >= t) | (there <= votes))
            paid = self.costs.of_errors(gold, self.costs.cheapest(probs)[0]) + votes * self.prices.of(CROWD)
            cost[stop] = paid[stop]
            waiting &= ~stop
        return float(cost.mean())


@dataclass(frozen=True, eq=False)
class Stop:
    """A fitted TunedStop."""

    model: Fused
    t: float

    @property
    def class_prior(self) -> Array:
        """How common each class is."""
        return self.model.class_prior

    def posterior(self, votes: Votes, machines: Machines, gold: Gold | None = None) -> Array:
        """See Fused."""
        return self.model.posterior(votes, machines, gold)

    def belief(self, votes: Votes, machines: Machines) -> Belief:
        """See Fused."""
        return self.model.belief(votes, machines)


def prefixes(votes: Votes) -> list[Votes]:
    """Return the first 0, 1, 2, ... votes of every task, up to all."""
    order = np.argsort(votes.task, kind="stable")
    rank = np.empty(len(votes), dtype=np.int64)
    each = votes.votes_per_task
    rank[order] = np.arange(len(votes)) - np.repeat(np.cumsum(each) - each, each)
    return [votes.subset(rows=np.flatnonzero(rank < most)) for most in range(int(each.max(initial=0)) + 1)]
