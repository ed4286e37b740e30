"""The machine's label where it is confident, else the crowd's."""

from dataclasses import dataclass, field

import numpy as np

from quorate.data.costs import CROWD, Costs, Prices
from quorate.data.decisions import Decisions
from quorate.data.option_checks import require_numbers
from quorate.data.votes import Votes
from quorate.decision.base import NO_WARM_UP, Fused, Machines, PoolState, WarmUp
from quorate.decision.crowd_model import symmetric
from quorate.decision.policies._build import asks_crowd, first_votes
from quorate.decision.policies._expected_cost import cost_after
from quorate.decision.policies.consensus import CrowdElseMachine, fit_majority, machine_probs
from quorate.typing import Array, Gold

REASONS = ("the machine is confident, or the crowd has voted", "the machine is not confident")
ROUNDING = 1e-9  # a confidence of .9 is at or above .9
LEAST_GOLD = 20  # fewer tell nothing of a threshold
PSEUDO_VOTES = 20.0  # that are right as often as agreement tells, beside the votes on tasks with gold


@dataclass(frozen=True, kw_only=True)
class Threshold:
    """The machine labels tasks of which it is confident; the crowd labels the others by majority.

    t: confidence at which the machine is believed. n: votes on each other task. tuned: choose the threshold on tasks
    with gold, at the least cost of errors and votes, where at least 20 have some.

    Model: accept the machine's label where max_k machine(k) >= t. Else ask for n votes and accept their majority, where
    how common each class is decides ties. Tasks that have their n votes keep them, whatever the machine says later.

    Use it when: a well calibrated classifier is there, and a simple rule is wanted. It treats people and machine as
    substitutes: a near miss of the machine counts for nothing.

    Paper: Callaghan et al., "MechanicalHeart: a human-machine framework for the classification of phonocardiograms",
    2018.

    >>> from quorate.decision.base import PoolState
    >>> policy = Threshold(costs=Costs.of_error(100, 2))
    >>> votes = Votes.from_counts([[0, 0], [0, 0], [1, 2]])
    >>> machines = {"m": np.array([[0.95, 0.05], [0.6, 0.4], [0.6, 0.4]])}
    >>> model = policy.fit(votes, machines)
    >>> gold, there = np.full(3, -1), np.ones((3, 1), bool)
    >>> made = policy.decide(PoolState(votes=votes, machines=machines, model=model, gold=gold, open=there))
    >>> made.action.tolist(), made.label.tolist()
    ([0, 1, 0], [0, 0, 1])
    """

    costs: Costs
    prices: Prices = field(default_factory=Prices)
    t: float = 0.9
    n: int = 3
    tuned: bool = False

    def __post_init__(self) -> None:
        require_numbers(self, "t", at_least=0, at_most=1)
        require_numbers(self, "n", at_least=1)

    def warm_up(self, n_tasks: int, machines: Machines) -> WarmUp:
        """See Policy. A machine that is there from the start needs none."""
        return NO_WARM_UP if machines else first_votes(n_tasks)

    def fit(self, votes: Votes, machines: Machines, gold: Gold | None = None, start: Fused | None = None) -> Fused:
        """See Policy."""
        crowd = fit_majority(votes, gold)
        said = machine_probs(machines)
        t = self.t
        if self.tuned and said is not None and gold is not None and (gold >= 0).sum() >= LEAST_GOLD:
            by_crowd = self.cost_of_crowd(crowd.class_prior, _pool_by_gold(votes, gold, crowd.pool))
            t = self.cheapest_threshold(said[gold >= 0], gold[gold >= 0], by_crowd)
        return FittedThreshold(crowd, t)

    def cost_of_crowd(self, class_prior: Array, pool: Array) -> float:
        """What a task costs that the crowd labels: its votes, and the errors of n voters who answer as the pool."""
        errors = cost_after(class_prior, pool, self.costs, self.n)[-1]
        return float(errors) + self.n * self.prices.votes.get(CROWD, 0.0)

    def cheapest_threshold(self, said: Array, gold: Gold, cost_of_crowd: float) -> float:
        """The threshold at which tasks with gold would have cost least; of several, the highest.

        >>> said = np.array([[0.9, 0.1], [0.8, 0.2], [0.7, 0.3]])
        >>> policy = Threshold(costs=Costs.of_error(100, 2))
        >>> policy.cheapest_threshold(said, np.array([0, 0, 1]), cost_of_crowd=10.0)
        0.8
        """
        order = np.argsort(-said.max(axis=1), kind="stable")
        confidence = said.max(axis=1)[order]
        by_machine = np.cumsum(self.costs.of_errors(gold, self.costs.cheapest(said)[0])[order])
        total = by_machine + cost_of_crowd * np.arange(len(order) - 1, -1, -1)
        total[:-1][confidence[:-1] == confidence[1:]] = np.inf  # no threshold parts tasks that are equally confident
        best = int(total.argmin())
        return float(confidence[best]) if total[best] < cost_of_crowd * len(order) else np.inf

    def decide(self, state: PoolState) -> Decisions:
        """See Policy."""
        assert isinstance(state.model, FittedThreshold)
        n_votes = state.votes.votes_per_task
        probs = state.model.posterior(state.votes, state.machines)
        wants = n_votes < self.n
        said = machine_probs(state.machines)
        if said is not None:
            by_machine = wants & (said.max(axis=1) >= state.model.t - ROUNDING)
            probs = np.where(by_machine[:, None], said, probs)
            wants &= ~by_machine
        return asks_crowd(self, state, probs, wants, REASONS)


def _pool_by_gold(votes: Votes, gold: Gold, pool: Array) -> Array:
    """How an unknown voter answers, by votes on tasks with gold: voters who err together agree all the same."""
    truth = gold[votes.task]
    right = float((votes.label[truth >= 0] == truth[truth >= 0]).sum())
    accuracy = (right + PSEUDO_VOTES * pool[0, 0]) / ((truth >= 0).sum() + PSEUDO_VOTES)
    return symmetric(float(accuracy), votes.n_classes)


@dataclass(frozen=True, eq=False)
class FittedThreshold(CrowdElseMachine):
    """A fitted Threshold. t: confidence at which the machine is believed."""

    t: float
