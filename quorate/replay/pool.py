"""Recorded votes as a world to try a policy in: a vote is shown when it is asked for, and paid."""

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from quorate.audit.value_of_audit import labels_to_buy
from quorate.data.checks import probability_rows
from quorate.data.costs import CROWD, EXPERT
from quorate.data.decisions import ASK, Decisions
from quorate.data.votes import Votes
from quorate.decision.base import TAUGHT, Fused, Machines, Policy, PoolState
from quorate.typing import Array, Gold

MANY = 10_000  # rounds: no replay takes so many
GIVEN = "given"  # the name of a machine that these votes do not teach
LAST_LESSONS = 2  # how often the machine is taught again when nobody asks any more, before it ends


class Machine(Protocol):
    """A classifier in a replay: it says of every task what it has learnt so far from other tasks.

    learns: whether the votes of the replay teach it, so that its errors depend on theirs.
    """

    @property
    def learns(self) -> bool:
        """See Machine."""
        ...

    def start(self) -> Array | None:
        """Return what it says before it has seen any vote, (n_tasks, n_classes), or None; called once per replay."""
        ...

    def learn(self, votes: Votes, probs: Array, gold: Gold) -> Array:
        """What it says, out of fold, when it has been taught: (n_tasks, n_classes).

        probs: what is believed of the tasks; those with neither votes nor gold teach nothing.
        """
        ...


@dataclass(frozen=True, eq=False)
class Given:
    """A machine that knows what it knows: probabilities of every task, (n_tasks, n_classes)."""

    probs: Array
    learns: ClassVar[bool] = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "probs", probability_rows(self.probs, "probabilities of the machine"))

    def start(self) -> Array | None:
        """See Machine."""
        return self.probs

    def learn(self, votes: Votes, probs: Array, gold: Gold) -> Array:
        """See Machine."""
        return self.probs


@dataclass(frozen=True, eq=False, kw_only=True)
class Outcome:
    """What became of a replay, one entry per task. Gold that was given to the policy is charged to nobody.

    label: the label given, -1 = none. votes: of the crowd. asked_expert: whether an expert was paid.
    spent: what votes, experts and the machine cost. error_cost: what the label cost in truth.
    """

    label: NDArray[np.int64]
    wrong: NDArray[np.bool_]
    votes: NDArray[np.int64]
    asked_expert: NDArray[np.bool_]
    spent: Array
    error_cost: Array
    rounds: int

    @property
    def loss(self) -> Array:
        """What each task cost in all."""
        return self.spent + self.error_cost


class World:
    """Recorded votes, and how many of each task have been shown; in random order, or as recorded."""

    def __init__(self, votes: Votes, order: NDArray[np.int64]) -> None:
        self.recorded = votes
        self.order = order[np.argsort(votes.task[order], kind="stable")]
        self.first = np.concatenate([[0], np.cumsum(votes.votes_per_task)])
        self.shown = np.zeros(votes.n_tasks, dtype=np.int64)

    @property
    def left(self) -> NDArray[np.int64]:
        """How many more votes each task has."""
        return np.diff(self.first) - self.shown

    def show(self, tasks: NDArray[Any], most: int = 1) -> None:
        """Show up to so many more votes of these tasks."""
        self.shown[tasks] += np.minimum(most, self.left[tasks])

    def votes(self) -> Votes:
        """All votes that have been shown."""
        within = np.arange(self.shown.sum()) - np.repeat(np.cumsum(self.shown) - self.shown, self.shown)
        return self.recorded.subset(rows=self.order[np.repeat(self.first[:-1], self.shown) + within])


def replay(
    policy: Policy,
    votes: Votes,
    gold: Gold,
    machine: Machine | None = None,
    *,
    known: Gold | None = None,
    seed: int = 0,
    recorded_order: bool = False,
    batch: float = 0.2,
    growth: float = 1.5,
    audits: bool = False,
) -> Outcome:
    """Run a policy on recorded votes until it asks for no more.

    gold: the true class of every task: what errors are counted by, and what an expert says. known: gold that the policy
    is given for nothing, -1 = none; errors on these tasks are none. No worker votes twice on a task, as they did not.
    Each round shows one more vote of a random share `batch` of the tasks that ask; the machine is taught again when
    there are `growth` times as many votes as before. audits: after the first votes, labels of an expert on random tasks
    are bought where what they teach seems to be worth their price; the policy must have a price for experts.
    """
    rng = np.random.default_rng(seed)
    world = World(votes, np.arange(len(votes)) if recorded_order else rng.permutation(len(votes)))
    known = np.full(votes.n_tasks, -1) if known is None else known.copy()
    asked_expert = np.zeros(votes.n_tasks, dtype=bool)
    machines: Machines = {} if machine is None else named(machine, machine.start())
    warm_up = policy.warm_up(votes.n_tasks, machines)
    drawn = rng.permutation(votes.n_tasks)
    drawn = drawn[np.argsort(known[drawn] < 0, kind="stable")]  # votes on tasks with gold teach most
    if CROWD in policy.prices.kinds:  # who has no price cannot be asked
        world.show(drawn[: warm_up.tasks], warm_up.votes)
    model: Fused | None = None
    taught, lessons_left = 0, LAST_LESSONS
    for rounds in range(MANY):
        seen = world.votes()
        evidence = len(seen) + int((known >= 0).sum())
        if machine is not None and evidence and evidence >= growth * taught:
            machines = named(machine, machine.learn(seen, believed(seen, machines, known, model), known))
            taught = evidence
        model = policy.fit(seen, machines, known, model)
        state = PoolState(votes=seen, machines=machines, model=model, gold=known, open=_open(policy, world, known))
        decisions = policy.decide(state)
        if audits and rounds == 0:
            audited = labels_to_buy(decisions, policy.costs, policy.prices, drawn[known[drawn] < 0], gold)
            known[audited] = gold[audited]
            asked_expert[audited] = True
            if len(audited):
                continue
        asked = np.flatnonzero((decisions.action == ASK) & (known < 0))
        if not len(asked):
            if machine is None or not lessons_left:
                break
            lessons_left -= 1
            taught = 0  # before it ends, the machine is taught all that was seen
            continue
        asked = rng.choice(asked, min(len(asked), max(int(np.ceil(batch * len(asked))), 10)), replace=False)
        to_expert = asked[_kinds(decisions, asked) == EXPERT]
        known[to_expert] = gold[to_expert]
        asked_expert[to_expert] = True
        world.show(asked[_kinds(decisions, asked) == CROWD])
    return _outcome(policy, decisions, world, gold, known, asked_expert, rounds)


def named(machine: Machine, said: Array | None) -> Machines:
    """Return what a machine says under its name, by whether these votes teach it; nothing where it says nothing."""
    return {} if said is None else {TAUGHT if machine.learns else GIVEN: said}


def believed(votes: Votes, machines: Machines, known: Gold, model: Fused | None) -> Array:
    """What the machine is taught: what the model says of every task, or shares of votes before there is one."""
    if model is not None:
        return model.posterior(votes, machines, known)
    counts = votes.counts() + 1e-9
    probs: Array = counts / counts.sum(axis=1, keepdims=True)
    rows = np.flatnonzero(known >= 0)
    probs[rows] = 0
    probs[rows, known[rows]] = 1
    return probs


def _kinds(decisions: Decisions, rows: NDArray[np.int64]) -> NDArray[np.str_]:
    return np.array(decisions.kinds)[decisions.ask[rows]]


def _open(policy: Policy, world: World, known: Gold) -> NDArray[np.bool_]:
    there = [world.left > 0 if kind == CROWD else np.full(len(known), kind == EXPERT) for kind in policy.prices.kinds]
    return np.stack(there, axis=1) & (known < 0)[:, None]


def _outcome(
    policy: Policy,
    decisions: Decisions,
    world: World,
    gold: Gold,
    known: Gold,
    asked_expert: NDArray[np.bool_],
    rounds: int,
) -> Outcome:
    label = np.where(known >= 0, known, decisions.label)
    prices = policy.prices.votes
    spent = world.shown * prices.get(CROWD, 0.0) + asked_expert * prices.get(EXPERT, 0.0) + policy.prices.machine
    return Outcome(
        label=label,
        wrong=label != gold,
        votes=world.shown.copy(),
        asked_expert=asked_expert,
        spent=spent.astype(np.float64),
        error_cost=policy.costs.of_errors(gold, label),
        rounds=rounds,
    )
