"""Simulation of the rest of a pool, and how far its result depends on the tasks that happened to be seen."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from quorate.data.decisions import ASK
from quorate.data.option_checks import require_number
from quorate.data.votes import Votes
from quorate.decision.base import Machines, Policy, PoolState
from quorate.forecasts.rollout import Rehearsed, rehearse
from quorate.forecasts.tuning import TUNING
from quorate.typing import Array

Teach = Callable[[Votes], Machines]


@dataclass(frozen=True, eq=False, kw_only=True)
class Simulated:
    """Result of simulating the rest of a pool.

    Attributes:
        n_asking: number of tasks that ask for a vote now.
        runs: simulations with the model fitted to all votes.
        halves: mean votes to come with each model fitted to half of the tasks seen, (n_halves,).
    """

    n_asking: int
    runs: Rehearsed
    halves: Array

    @property
    def doubt(self) -> float:
        """Standard deviation of the logarithm of the votes to come, between halves of the tasks seen."""
        return float(np.std(np.log(self.halves + TUNING.pseudo_votes))) if len(self.halves) else 0.0

    @property
    def moved(self) -> float:
        """Mean logarithm of the votes to come with a half, relative to those with the whole."""
        mean = self.runs.votes.sum(axis=1).mean()
        ratio = (self.halves + TUNING.pseudo_votes) / (mean + TUNING.pseudo_votes)
        return float(np.mean(np.log(ratio))) if len(self.halves) else 0.0


def simulate_rest(
    policy: Policy,
    state: PoolState,
    *,
    teach: Teach | None = None,
    runs: int = 10,
    left: NDArray[np.int64] | None = None,
    seed: int = 0,
) -> Simulated:
    """Simulate the rest of the pool with its model, and with models fitted to half of the tasks with votes.

    Args:
        policy: decides on the tasks.
        state: the pool so far.
        teach: returns the classifiers' predictions after they were taught some votes; None = they do not learn.
        runs: number of simulations with the model of the whole.
        left: how many more votes of the crowd each task can have, (n_tasks,); None = any number.
        seed: draws the halves and the simulations.
    """
    require_number("runs", runs, at_least=1, whole=True)
    whole = rehearse(policy, state, runs=runs, left=left, seed=seed)
    to_come = []
    for number, half in enumerate(_draw_halves(state.votes, seed)):
        machines = state.machines if teach is None else teach(half)
        part = replace(state, machines=machines, model=policy.fit(half, machines, state.gold))
        to_come.append(
            rehearse(policy, part, runs=TUNING.runs_of_half, left=left, seed=seed + number).votes.sum(axis=1).mean()
        )
    asking = int(((policy.decide(state).action == ASK) & (state.gold < 0)).sum())
    return Simulated(n_asking=asking, runs=whole, halves=np.array(to_come))


def _draw_halves(votes: Votes, seed: int) -> list[Votes]:
    """Return the votes on half of the tasks that have any, drawn several times."""
    rng = np.random.default_rng(seed)
    voted = np.flatnonzero(votes.votes_per_task > 0)
    if len(voted) < 2:
        return []
    halves = []
    for _ in range(TUNING.halves):
        kept = np.zeros(votes.n_tasks, dtype=bool)
        kept[rng.permutation(voted)[: len(voted) // 2]] = True
        halves.append(votes.subset(rows=kept[votes.task]))
    return halves
