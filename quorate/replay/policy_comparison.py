"""Replays of several policies over several seeds, in one process or in several."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from quorate.data.votes import Votes
from quorate.decision.base import Policy
from quorate.errors import QuorateError
from quorate.learning.incremental import IncrementalClassifier
from quorate.parallel import one_blas_thread, run_jobs
from quorate.replay.budget import BudgetOutcome
from quorate.replay.pool import Given, Machine, Outcome
from quorate.replay.results import FIGURES, QUARTERS
from quorate.replay.setups import Recorded, Ways
from quorate.replay.stream import StreamOutcome
from quorate.typing import Array, Gold


@dataclass(frozen=True, eq=False, kw_only=True)
class Pool:
    """What policies are tried on; every process is sent one."""

    votes: Votes
    gold: Gold
    probs: Array | None
    x: Array | None
    most_tasks: int
    known: int
    recorded_order: bool
    ways: Ways

    def run(self, policy: Policy, seed: int) -> tuple[Array, str]:
        """What a policy costs per task on the tasks of a seed, each way: (n_ways, FIGURES and QUARTERS); or why not."""
        rng = np.random.default_rng(seed)
        n_tasks = self.votes.n_tasks
        rows = np.sort(rng.choice(n_tasks, min(self.most_tasks, n_tasks), replace=False))
        gold = self.gold[rows]
        known = np.full(len(rows), -1)
        given = rng.choice(len(rows), min(self.known, len(rows)), replace=False)
        known[given] = gold[given]
        try:
            with one_blas_thread():
                recorded = Recorded(
                    self.votes.subset(tasks=rows), gold, self._machine(rows, seed), known, seed, self.recorded_order
                )
                return np.array([_figures(outcome) for outcome in self.ways.run(policy, recorded)]), ""
        except QuorateError as error:
            return np.full(len(FIGURES) + len(QUARTERS), np.nan), str(error)

    def _machine(self, rows: NDArray[np.int64], seed: int) -> Machine | None:
        if self.x is not None:
            return IncrementalClassifier(self.x[rows], seed=seed)
        return None if self.probs is None else Given(self.probs[rows])


def _figures(outcome: Outcome) -> list[float]:
    decided = outcome.decided if isinstance(outcome, BudgetOutcome) else np.ones(len(outcome.loss))
    every = (outcome.loss, outcome.votes, outcome.asked_expert, outcome.wrong, outcome.spent, decided)
    quarters = outcome.by_part(len(QUARTERS)) if isinstance(outcome, StreamOutcome) else np.full(len(QUARTERS), np.nan)
    return [float(figure.mean()) for figure in every] + quarters.tolist()


def runs(pool: Pool, policies: list[Policy], seeds: int, processes: int) -> Iterator[tuple[int, int, Array, str]]:
    """Yield (place of the policy, seed, figures, note) of every replay, as they are done."""
    jobs = [(place, policy, seed) for seed in range(seeds) for place, policy in enumerate(policies)]
    for (place, _, seed), outcome in run_jobs(_run, jobs, pool, processes):
        yield place, seed, *outcome


def _run(pool: Pool, job: tuple[int, Policy, int]) -> tuple[Array, str]:
    _, policy, seed = job
    return pool.run(policy, seed)
