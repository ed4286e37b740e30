"""Value of information where belief is a mean of machine and crowd: the loop of the paper on hybrid services."""

from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb

import numpy as np
from scipy.special import gammaln

from quorate.data.costs import CROWD, Costs, Prices
from quorate.data.decisions import Decisions
from quorate.data.votes import Votes
from quorate.decision.base import Fused, Machines, PoolState, WarmUp
from quorate.decision.classifier_weights import log_machines, machine_prior
from quorate.decision.crowd_em import by_bayes
from quorate.decision.fusion.average import Average, FusedAverage
from quorate.decision.fusion.weighted_average import WeightedAverage
from quorate.decision.policies._build import crowd_decisions, default_warm_up
from quorate.inference.kernels import safe_log, softmax_rows
from quorate.typing import Array, Gold

REASONS = ("no votes are worth their price", "votes are worth more than their price")
MOST_WAYS = 100  # in which some voters may answer: further ahead is not looked


@dataclass(frozen=True, kw_only=True)
class AverageValue:
    """Ask while one to five more votes lower the expected cost of the mean belief by more than their price.

    The mean does not move as Bayes' rule has it: what it would be after the votes is worked out for all answers. A
    policy that took the mean for a posterior would ask for ever where the machine is in doubt: it never gets sure.
    """

    costs: Costs
    fusion: Average | WeightedAverage = field(default_factory=Average)
    prices: Prices = field(default_factory=Prices)
    ahead: int = 5

    def warm_up(self, n_tasks: int, machines: Machines) -> WarmUp:
        """See Policy."""
        return default_warm_up(n_tasks)

    def fit(
        self, votes: Votes, machines: Machines, gold: Gold | None = None, start: Fused | None = None
    ) -> FusedAverage:
        """See Policy."""
        return self.fusion.fit(votes, machines, gold, start)

    def decide(self, state: PoolState) -> Decisions:
        """See Policy."""
        assert isinstance(state.model, FusedAverage)
        probs = state.model.posterior(state.votes, state.machines)
        now = self.costs.cheapest(probs)[1]
        hopeful = np.flatnonzero((now > self.prices.of(CROWD)) & state.open[:, self.prices.kinds.index(CROWD)])
        crowd, machine = beliefs(state.model, state.votes, state.machines)
        wants = np.zeros(len(probs), dtype=bool)
        for votes in range(1, self.ahead + 1):
            if votes > 1 and comb(len(probs[0]) + votes - 1, votes) > MOST_WAYS:
                break
            later = self._cost_after(votes, state.model, probs[hopeful], crowd[hopeful], machine[hopeful])
            wants[hopeful] |= now[hopeful] - later > votes * self.prices.of(CROWD)
        return crowd_decisions(self, state, probs, wants, REASONS)

    def _cost_after(self, votes: int, model: FusedAverage, probs: Array, crowd: Array, machine: Array) -> Array:
        """Return the expected cost of the cheapest label after this number of votes: (n_tasks,)."""
        log_crowd, later = safe_log(crowd), np.zeros(len(probs))
        for counts in _ways(probs.shape[1], votes):
            log_said = safe_log(model.crowd.pool) @ counts  # (true,)
            orders = gammaln(votes + 1) - gammaln(counts + 1).sum()
            after = log_crowd + log_said
            softmax_rows(after)
            mean = model.weight * machine + (1 - model.weight) * after
            later += probs @ np.exp(log_said + orders) * self.costs.cheapest(mean)[1]
        return later


def beliefs(model: FusedAverage, votes: Votes, machines: Machines) -> tuple[Array, Array]:
    """Return the class probabilities by the crowd, and those by the classifier: (n_tasks, n_classes) each."""
    common = np.broadcast_to(model.class_prior, (votes.n_tasks, votes.n_classes))
    return by_bayes(model.crowd, votes, common), machine_prior(
        log_machines(machines), model.class_prior, 1.0, 0.0, votes.n_tasks
    )


@lru_cache(maxsize=64)
def _ways(n_classes: int, votes: int) -> Array:
    """Return all combinations of answers of this number of voters as counts per class: (n_ways, n_classes)."""
    said = np.array(list(combinations_with_replacement(range(n_classes), votes)))
    counts: Array = (said[:, :, None] == np.arange(n_classes)).sum(axis=1).astype(np.float64)
    return counts
