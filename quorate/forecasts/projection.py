"""The rest of a pool by plain simulation, and how far that hangs on the tasks that happened to be seen."""

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
    """What plain simulation says of the rest of a pool.

    runs: by the model that is there. halves: (n_halves,), votes to come by models fitted to half of the tasks seen.
    """

    n_asking: int
    runs: Rehearsed
    halves: Array

    @property
    def doubt(self) -> float:
        """How far the votes to come hang on the tasks that were seen: a standard deviation of their logarithm."""
        return float(np.std(np.log(self.halves + TUNING.few_votes))) if len(self.halves) else 0.0

    @property
    def moved(self) -> float:
        """By which logarithm the halves say more than the whole."""
        mean = self.runs.votes.sum(axis=1).mean()
        ratio = (self.halves + TUNING.few_votes) / (mean + TUNING.few_votes)
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
    """The rest of the pool played through by the model, and by models fitted to half of the tasks with votes.

    teach: what the machines say of every task when they are taught these votes, where they learn. left: how many more
    votes of the crowd each task can have; None = any number.
    """
    require_number("runs", runs, at_least=1, whole=True)
    played = rehearse(policy, state, runs=runs, left=left, seed=seed)
    to_come = []
    for number, half in enumerate(_halves(state.votes, seed)):
        machines = state.machines if teach is None else teach(half)
        part = replace(state, machines=machines, model=policy.fit(half, machines, state.gold))
        to_come.append(
            rehearse(policy, part, runs=TUNING.runs_of_half, left=left, seed=seed + number).votes.sum(axis=1).mean()
        )
    asking = int(((policy.decide(state).action == ASK) & (state.gold < 0)).sum())
    return Simulated(n_asking=asking, runs=played, halves=np.array(to_come))


def _halves(votes: Votes, seed: int) -> list[Votes]:
    """The votes on half of the tasks that have any, drawn several times."""
    rng = np.random.default_rng(seed)
    voted = np.flatnonzero(votes.votes_per_task > 0)
    if len(voted) < 2:
        return []
    found = []
    for _ in range(TUNING.halves):
        kept = np.zeros(votes.n_tasks, dtype=bool)
        kept[rng.permutation(voted)[: len(voted) // 2]] = True
        found.append(votes.subset(rows=kept[votes.task]))
    return found
