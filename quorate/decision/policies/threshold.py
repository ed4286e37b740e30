"""Accept the classifier's label where it is confident, otherwise the crowd's."""

from dataclasses import dataclass, field

import numpy as np

from quorate.data.costs import CROWD, Costs, Prices
from quorate.data.decisions import Decisions
from quorate.data.option_checks import require_numbers
from quorate.data.votes import Votes
from quorate.decision.base import NO_WARM_UP, Fused, Machines, PoolState, WarmUp
from quorate.decision.policies._build import crowd_decisions, default_warm_up
from quorate.decision.policies._expected_cost import cost_after
from quorate.decision.policies.consensus import CrowdElseMachine, fit_majority, machine_probs
from quorate.inference.crowd_model import symmetric
from quorate.typing import Array, Gold

REASONS = ("the classifier is confident, or the crowd has voted", "the classifier is not confident")
ROUNDING = 1e-9  # a confidence of .9 is at or above .9
MIN_GOLD = 20  # tasks with gold that are needed to choose a threshold
PSEUDO_VOTES = 20.0  # strength of the accuracy estimated from agreement, compared with votes on tasks with gold


@dataclass(frozen=True, kw_only=True)
class Threshold:
    """The classifier labels the tasks on which it is confident; the crowd labels the others by majority.

    Model: accept the classifier's label where max_k machine(k) >= t. Otherwise ask for n votes and accept their
    majority, with ties going to the more common class. Tasks that have their n votes keep them, whatever the classifier
    says later.

    Args:
        costs: costs of errors.
        prices: price of a vote of each annotator kind.
        t: confidence from which on the classifier's label is accepted.
        n: votes on each other task.
        tuned: choose the threshold with the lowest cost of errors and votes on the tasks with gold, if there are at
            least 20.

    Use it when: there is a well calibrated classifier, and you want a simple rule. It treats people and classifier as
    substitutes: a near miss of the classifier counts for nothing.

    Paper: Callaghan et al., "MechanicalHeart: a human-machine framework for the classification of phonocardiograms",
    2018.

    >>> from quorate.decision.base import PoolState
    >>> policy = Threshold(costs=Costs.of_error(100, 2))
    >>> votes = Votes.from_counts([[0, 0], [0, 0], [1, 2]])
    >>> machines = {"m": np.array([[0.95, 0.05], [0.6, 0.4], [0.6, 0.4]])}
    >>> model = policy.fit(votes, machines)
    >>> gold, can_ask = np.full(3, -1), np.ones((3, 1), bool)
    >>> decisions = policy.decide(PoolState(votes=votes, machines=machines, model=model, gold=gold, open=can_ask))
    >>> decisions.action.tolist(), decisions.label.tolist()
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
        """See Policy. A classifier that exists from the start needs none."""
        return NO_WARM_UP if machines else default_warm_up(n_tasks)

    def fit(self, votes: Votes, machines: Machines, gold: Gold | None = None, start: Fused | None = None) -> Fused:
        """See Policy."""
        crowd = fit_majority(votes, gold)
        probs = machine_probs(machines)
        t = self.t
        if self.tuned and probs is not None and gold is not None and (gold >= 0).sum() >= MIN_GOLD:
            by_crowd = self.cost_of_crowd(crowd.class_prior, _pool_by_gold(votes, gold, crowd.pool))
            t = self.cheapest_threshold(probs[gold >= 0], gold[gold >= 0], by_crowd)
        return FittedThreshold(crowd, t)

    def cost_of_crowd(self, class_prior: Array, pool: Array) -> float:
        """Return the expected cost of a task that the crowd labels: n votes, and the errors of their majority."""
        errors = cost_after(class_prior, pool, self.costs, self.n)[-1]
        return float(errors) + self.n * self.prices.votes.get(CROWD, 0.0)

    def cheapest_threshold(self, probs: Array, gold: Gold, cost_of_crowd: float) -> float:
        """Return the threshold at which tasks with gold would have cost least; the highest of several.

        Args:
            probs: (n_tasks, n_classes), the classifier's probabilities.
            gold: (n_tasks,), gold labels.
            cost_of_crowd: cost of a task that the crowd labels.

        >>> probs = np.array([[0.9, 0.1], [0.8, 0.2], [0.7, 0.3]])
        >>> policy = Threshold(costs=Costs.of_error(100, 2))
        >>> policy.cheapest_threshold(probs, np.array([0, 0, 1]), cost_of_crowd=10.0)
        0.8
        """
        order = np.argsort(-probs.max(axis=1), kind="stable")
        confidence = probs.max(axis=1)[order]
        by_machine = np.cumsum(self.costs.of_errors(gold, self.costs.cheapest(probs)[0])[order])
        total = by_machine + cost_of_crowd * np.arange(len(order) - 1, -1, -1)
        total[:-1][confidence[:-1] == confidence[1:]] = np.inf  # no threshold separates tasks of equal confidence
        best = int(total.argmin())
        return float(confidence[best]) if total[best] < cost_of_crowd * len(order) else np.inf

    def decide(self, state: PoolState) -> Decisions:
        """See Policy."""
        assert isinstance(state.model, FittedThreshold)
        n_votes = state.votes.votes_per_task
        probs = state.model.posterior(state.votes, state.machines)
        wants = n_votes < self.n
        machine = machine_probs(state.machines)
        if machine is not None:
            by_machine = wants & (machine.max(axis=1) >= state.model.t - ROUNDING)
            probs = np.where(by_machine[:, None], machine, probs)
            wants &= ~by_machine
        return crowd_decisions(self, state, probs, wants, REASONS)


def _pool_by_gold(votes: Votes, gold: Gold, pool: Array) -> Array:
    """Return the matrix of an unknown voter from votes on tasks with gold: agreement alone hides common errors."""
    truth = gold[votes.task]
    right = float((votes.label[truth >= 0] == truth[truth >= 0]).sum())
    accuracy = (right + PSEUDO_VOTES * pool[0, 0]) / ((truth >= 0).sum() + PSEUDO_VOTES)
    return symmetric(float(accuracy), votes.n_classes)


@dataclass(frozen=True, eq=False)
class FittedThreshold(CrowdElseMachine):
    """A fitted Threshold. t: confidence from which on the classifier's label is accepted."""

    t: float
