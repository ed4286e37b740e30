"""Protocols of policies and fusions, and the state of a pool that a policy decides on."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from quorate.data.costs import Costs, Prices
from quorate.data.decisions import Decisions
from quorate.data.votes import Votes
from quorate.decision.belief import Belief
from quorate.typing import Array, Gold

Machines = Mapping[str, Array]  # name of a classifier -> its out-of-fold probabilities: (n_tasks, n_classes)
TAUGHT = "taught"  # the name of a classifier that was trained on these very votes: it must earn its weight
EXPERT_REASON = "an expert labelled it"  # for people to read: code reads `Decisions.source`


class Fused(Protocol):
    """A fitted fusion. It knows workers by name and keeps nothing of single tasks."""

    @property
    def class_prior(self) -> Array:
        """Probability of each class before anything is known of a task: (n_classes,)."""
        ...

    def posterior(self, votes: Votes, machines: Machines, gold: Gold | None = None) -> Array:
        """Return the probability of each class for every task: (n_tasks, n_classes). Gold labels are certain.

        Args:
            votes: votes on all tasks.
            machines: name -> probabilities of a classifier, (n_tasks, n_classes).
            gold: gold labels, (n_tasks,), -1 = none.
        """
        ...

    def belief(self, votes: Votes, machines: Machines) -> Belief:
        """Return the belief about every task without gold, and how the next voters are expected to answer."""
        ...


class Fusion(Protocol):
    """A way to combine votes and classifiers. Options are set in the constructor; it keeps no state."""

    def fit(self, votes: Votes, machines: Machines, gold: Gold | None = None, start: Fused | None = None) -> Fused:
        """Learn how far to trust each worker and classifier, and return the fitted fusion.

        Args:
            votes: votes on all tasks.
            machines: out-of-fold probabilities of each classifier, row by row as the tasks of the votes.
            gold: (n_tasks,), labels of experts, -1 = none.
            start: an earlier fit to fewer of these votes, from which the fit continues.
        """
        ...


@dataclass(frozen=True, eq=False, kw_only=True)
class PoolState:
    """Everything a policy knows about some tasks when it decides on them. A slice of a pool is a pool.

    Attributes:
        votes: votes on these tasks.
        machines: out-of-fold probabilities of each classifier.
        model: the result of the policy's `fit`.
        gold: (n_tasks,), labels of experts, -1 = none.
        open: (n_tasks, n_kinds), which annotator kinds, in the order of the prices, can still be asked.
        ambiguity: (n_tasks,), from 0 (the clearest) to 1, measured without the votes, such as the rank of WAUM.
    """

    votes: Votes
    machines: Machines
    model: Fused
    gold: Gold
    open: NDArray[np.bool_]
    ambiguity: Array | None = None


class WarmUp(NamedTuple):
    """Votes on random tasks that are bought before the first decision."""

    tasks: int
    votes: int  # on each of them


NO_WARM_UP = WarmUp(0, 0)


class Policy(Protocol):
    """A rule that accepts a label for a task, or asks an annotator kind for one more vote.

    Options, among them the costs of errors and the prices of votes, are set in the constructor; a policy keeps no
    state. A policy whose decisions never depend on classifiers has an attribute `uses_machines` that is False.
    """

    @property
    def costs(self) -> Costs:
        """Costs of errors."""
        ...

    @property
    def prices(self) -> Prices:
        """Prices of votes."""
        ...

    def warm_up(self, n_tasks: int, machines: Machines) -> WarmUp:
        """Return the votes it needs before its first decision. machines: those that exist from the start."""
        ...

    def fit(self, votes: Votes, machines: Machines, gold: Gold | None = None, start: Fused | None = None) -> Fused:
        """Fit the model of workers and classifiers, and return it; called again as votes arrive.

        Args:
            votes: votes so far.
            machines: name -> probabilities of a classifier, (n_tasks, n_classes).
            gold: gold labels, (n_tasks,), -1 = none.
            start: an earlier fit to continue from.
        """
        ...

    def decide(self, state: PoolState) -> Decisions:
        """Return one decision per task. Rows are independent: a slice of a pool gets the same decisions."""
        ...


def uses_machines(policy: Policy) -> bool:
    """Return whether the decisions of a policy depend on classifiers.

    >>> from quorate.decision.policies.crowd_only import CrowdOnly
    >>> uses_machines(CrowdOnly(costs=Costs.of_error(20, 2)))
    False
    """
    return bool(getattr(policy, "uses_machines", True))
