"""The classifier as a prior, trusted as far as the crowd confirms it."""

from dataclasses import dataclass, field, replace

import numpy as np

from quorate.data.costs import Costs, Prices
from quorate.data.decisions import Decisions
from quorate.data.option_checks import require_choices, require_numbers
from quorate.data.votes import Votes
from quorate.decision.base import Fused, Machines, PoolState, WarmUp
from quorate.decision.policies._build import crowd_decisions, default_warm_up
from quorate.decision.policies.consensus import ByMatrices, Matrices, fit_matrices, machine_probs
from quorate.typing import Gold

REASONS = (
    "classifier and crowd are confident enough, or the vote limit is reached",
    "classifier and crowd are not confident enough",
)
PSEUDO_TASKS = 10.0  # on which the classifier knows nothing: it is not trusted before the crowd has confirmed it


@dataclass(frozen=True, kw_only=True)
class Krivosheev:
    """Start from the classifier's probabilities and ask while the crowd contradicts them.

    Model: before its votes, P(k) = trust * machine(k) + (1 - trust) * rho_k. Trust is such that the classifier is as
    confident, on average, as it is often right according to the crowd's posterior; nothing is assumed about its
    accuracy, and a weak one gets none. Then Bayes' rule with a confusion matrix per worker, until max_k P(k) >= sure:
    votes that confirm the classifier end the asking early, votes that contradict it lead to more.

    Args:
        costs: costs of errors.
        prices: price of a vote of each annotator kind.
        sure: posterior probability at which no more votes are asked for.
        most: number of votes on a task, at most; 0 = no limit.
        matrices: see `swap`.

    Use it when: there is a classifier of unknown quality, and you want a confident answer rather than a cheap one: it
    does not consider what an error costs.

    Paper: Krivosheev et al., "Combining crowd and machines for multi-predicate item screening", 2018.

    >>> from quorate.decision.base import PoolState
    >>> policy = Krivosheev(costs=Costs.of_error(100, 2))
    >>> votes = Votes.from_counts([[7, 2], [2, 7]] * 50 + [[1, 0], [1, 0]])
    >>> machines = {"m": np.array([[0.9, 0.1], [0.1, 0.9]] * 51)}
    >>> model = policy.fit(votes, machines)
    >>> gold, can_ask = np.full(102, -1), np.ones((102, 1), bool)
    >>> decisions = policy.decide(PoolState(votes=votes, machines=machines, model=model, gold=gold, open=can_ask))
    >>> decisions.action[-2:].tolist()  # the crowd confirms the classifier; it contradicts it
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
        require_numbers(self, "most", at_least=0, note="zero means no limit")

    def warm_up(self, n_tasks: int, machines: Machines) -> WarmUp:
        """See Policy."""
        return default_warm_up(n_tasks)

    def fit(self, votes: Votes, machines: Machines, gold: Gold | None = None, start: Fused | None = None) -> Fused:
        """See Policy."""
        model = fit_matrices(votes, gold, start, self.matrices)
        return replace(model, trust=fit_trust(machines, votes, gold, model))

    def decide(self, state: PoolState) -> Decisions:
        """See Policy."""
        probs = state.model.posterior(state.votes, state.machines)
        wants = probs.max(axis=1) < self.sure
        if self.most:
            wants &= state.votes.votes_per_task < self.most
        return crowd_decisions(self, state, probs, wants, REASONS)


def fit_trust(machines: Machines, votes: Votes, gold: Gold | None, crowd: ByMatrices) -> float:
    """Return the weight at which the classifiers are as confident, on average, as they are often right; from 0 to 1.

    How often they are right is estimated from the crowd, on tasks that have votes or gold. Classifiers that are right
    no more often than a guess by the class prior get no trust at all.
    """
    probs = machine_probs(machines)
    if probs is None:
        return 0.0
    judged = votes.votes_per_task > 0 if gold is None else (votes.votes_per_task > 0) | (gold >= 0)
    label = probs.argmax(axis=1)[judged]
    row = np.arange(len(label))
    right = crowd.posterior(votes, {}, gold)[judged][row, label].sum()
    by_chance = crowd.class_prior[label]
    confident = probs[judged][row, label].sum()
    if confident <= by_chance.sum():
        return 0.0
    pseudo = PSEUDO_TASKS * (confident - by_chance.sum()) / max(len(label), 1)
    return float(np.clip((right - by_chance.sum()) / (confident - by_chance.sum() + pseudo), 0.0, 1.0))
