"""The machine's belief as a prior, trusted as far as the crowd bears it out."""

from dataclasses import dataclass, field, replace

import numpy as np

from quorate.data.costs import Costs, Prices
from quorate.data.decisions import Decisions
from quorate.data.option_checks import require_choices, require_numbers
from quorate.data.votes import Votes
from quorate.decision.base import Fused, Machines, PoolState, WarmUp
from quorate.decision.policies._build import asks_crowd, first_votes
from quorate.decision.policies.consensus import ByMatrices, Matrices, fit_matrices, machine_probs
from quorate.typing import Gold

REASONS = (
    "machine and crowd are sure enough, or it has had all its votes",
    "machine and crowd are not sure enough",
)
PSEUDO_TASKS = 10.0  # on which the machine knows nothing: none is believed before the crowd has borne it out


@dataclass(frozen=True, kw_only=True)
class Krivosheev:
    """The machine's belief is where a task starts; votes are added while the crowd contradicts it.

    sure: the posterior at which no more votes are asked for. most: votes on a task at most; 0 = all that can be had.
    matrices: see `swap`.

    Model: before its votes, P(k) = trust * machine(k) + (1 - trust) * rho_k. Trust is such that the machine is as
    confident, on average, as it is often right by the crowd's posterior; nothing is assumed of its accuracy, and a weak
    one gets none. Then Bayes' rule by a confusion matrix per worker, until max_k P(k) >= sure: votes that confirm the
    belief cut the asking short, votes that negate it call for more.

    Use it when: a classifier of unknown quality is there, and a sure answer is wanted rather than a cheap one: it does
    not ask what an error costs.

    Paper: Krivosheev et al., "Combining crowd and machines for multi-predicate item screening", 2018.

    >>> from quorate.decision.base import PoolState
    >>> policy = Krivosheev(costs=Costs.of_error(100, 2))
    >>> votes = Votes.from_counts([[7, 2], [2, 7]] * 50 + [[1, 0], [1, 0]])
    >>> machines = {"m": np.array([[0.9, 0.1], [0.1, 0.9]] * 51)}
    >>> model = policy.fit(votes, machines)
    >>> gold, there = np.full(102, -1), np.ones((102, 1), bool)
    >>> made = policy.decide(PoolState(votes=votes, machines=machines, model=model, gold=gold, open=there))
    >>> made.action[-2:].tolist()  # the crowd confirms the machine; it contradicts it
    [0, 1]
    """

    costs: Costs
    prices: Prices = field(default_factory=Prices)
    sure: float = 0.95
    most: int = 0
    matrices: Matrices = "dawid_skene"

    def __post_init__(self) -> None:
        require_choices(self)
        require_numbers(self, "sure", above=0, at_most=1)
        require_numbers(self, "most", at_least=0, note="zero is no limit")

    def warm_up(self, n_tasks: int, machines: Machines) -> WarmUp:
        """See Policy."""
        return first_votes(n_tasks)

    def fit(self, votes: Votes, machines: Machines, gold: Gold | None = None, start: Fused | None = None) -> Fused:
        """See Policy."""
        model = fit_matrices(votes, gold, start, self.matrices)
        return replace(model, trust=trust_in(machines, votes, gold, model))

    def decide(self, state: PoolState) -> Decisions:
        """See Policy."""
        probs = state.model.posterior(state.votes, state.machines)
        wants = probs.max(axis=1) < self.sure
        if self.most:
            wants &= state.votes.votes_per_task < self.most
        return asks_crowd(self, state, probs, wants, REASONS)


def trust_in(machines: Machines, votes: Votes, gold: Gold | None, crowd: ByMatrices) -> float:
    """The share of the machine at which it is as confident, on average, as it is often right; from 0 to 1.

    How often it is right is told by the crowd, on tasks that have votes or gold; a machine that is right no more often
    than one would be who knows how common each class is gets no trust at all.
    """
    said = machine_probs(machines)
    if said is None:
        return 0.0
    known = votes.votes_per_task > 0 if gold is None else (votes.votes_per_task > 0) | (gold >= 0)
    label = said.argmax(axis=1)[known]
    row = np.arange(len(label))
    right = crowd.posterior(votes, {}, gold)[known][row, label].sum()
    by_chance = crowd.class_prior[label]
    confident = said[known][row, label].sum()
    if confident <= by_chance.sum():
        return 0.0
    pseudo = PSEUDO_TASKS * (confident - by_chance.sum()) / max(len(label), 1)
    return float(np.clip((right - by_chance.sum()) / (confident - by_chance.sum() + pseudo), 0.0, 1.0))
