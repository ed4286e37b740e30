"""What a policy and a fusion must offer, and the state of a pool that a policy decides on."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from quorate.data.costs import Costs, Prices
from quorate.data.decisions import Decisions
from quorate.data.votes import Votes
from quorate.decision.belief import Outlook
from quorate.typing import Array, Gold

Machines = Mapping[str, Array]  # name of a classifier -> what it says of every task, out of fold: (n_tasks, n_classes)
TAUGHT = "taught"  # the name of a machine that was taught by these very votes: it must earn its weight


class Fused(Protocol):
    """A fitted way to add up what machines and people say; it knows workers by name, and nothing of single tasks."""

    @property
    def class_prior(self) -> Array:
        """How common each class is: (n_classes,)."""
        ...

    def posterior(self, votes: Votes, machines: Machines, gold: Gold | None = None) -> Array:
        """Probability of each class for every task, row by row: (n_tasks, n_classes). Gold is taken for certain."""
        ...

    def outlook(self, votes: Votes, machines: Machines) -> Outlook:
        """The same without gold, and how the next voters are expected to answer, row by row."""
        ...


class Fusion(Protocol):
    """A way to add up what machines and people say. Options in the constructor; keeps no state."""

    def fit(self, votes: Votes, machines: Machines, gold: Gold | None = None, start: Fused | None = None) -> Fused:
        """Learn how far to trust whom.

        start: an earlier fit to fewer votes of the same kind, to go on from.
        """
        ...


@dataclass(frozen=True, eq=False, kw_only=True)
class PoolState:
    """All that is known of some tasks when it is decided on them. A slice of a pool is a pool.

    machines: out of fold. model: what the policy's `fit` gave. gold: (n_tasks,), labels of experts, -1 = none.
    open: (n_tasks, n_kinds), whether a vote of each kind, in the order of the prices, can still be had.
    ambiguity: (n_tasks,), from 0, the clearest, to 1, by anything but the votes, such as the rank of WAUM.
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
    """Decides of every task whether to accept an answer or to ask for one more vote, and from whom.

    Options in the constructor, among them what errors and votes cost; keeps no state. One whose decisions never depend
    on what machines say has an attribute `uses_machines` that is False.
    """

    @property
    def costs(self) -> Costs:
        """What errors cost."""
        ...

    @property
    def prices(self) -> Prices:
        """What votes cost."""
        ...

    def warm_up(self, n_tasks: int, machines: Machines) -> WarmUp:
        """What it must have seen before it can decide on anything. machines: those that are there from the start."""
        ...

    def fit(self, votes: Votes, machines: Machines, gold: Gold | None = None, start: Fused | None = None) -> Fused:
        """What it must know of workers and machines; refitted as votes come in."""
        ...

    def decide(self, state: PoolState) -> Decisions:
        """One decision per task, row by row: deciding on a slice gives the slice of deciding on all."""
        ...
