"""Replays of many policies on many pools, in several processes; each is run once and then read from disk."""

import multiprocessing
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.decision import cache
from benchmarks.decision.contestants import CONTESTANTS, ENGINE, modules, replaced
from benchmarks.decision.rows import MachineKind, Row, pool
from benchmarks.decision.watched import Watched
from benchmarks.harness import slowness
from quorate.data.costs import Costs
from quorate.replay.pool import replay

ERROR_COSTS = (5, 20, 100, 500)  # in votes


@dataclass(frozen=True)
class Condition:
    """What a replay is given beside the votes."""

    name: str
    with_gold: bool = False
    machine: MachineKind = "own"


NO_GOLD = Condition("no gold")
GOLD = Condition("200 gold", with_gold=True)
SHUFFLED = Condition("shuffled machine", machine="shuffled")
PERFECT = Condition("perfect machine", machine="perfect")


@dataclass(frozen=True)
class Job:
    """One replay: of a policy, on the pool of a seed, at a price of errors."""

    row: Row
    seed: int
    condition: Condition
    policy: str
    error_cost: int


@dataclass(frozen=True, eq=False)
class Run:
    """The outcome of a replay, one entry per item of the pool. seconds: CPU time, scaled to the reference machine."""

    votes: NDArray[np.int64]
    wrong: NDArray[np.bool_]
    first_votes: int  # of the warm-up
    seconds: float

    def loss(self, error_cost: float) -> NDArray[np.float64]:
        """Return the loss of each item, in votes."""
        return self.votes + error_cost * self.wrong


def result(job: Job) -> Run:
    """Return the run of a job, from disk if it is there."""
    arrays = cache.kept(_path(job), lambda: _replayed(job))
    return Run(arrays["votes"].astype(np.int64), arrays["wrong"], int(arrays["first_votes"]), float(arrays["seconds"]))


def run_all(jobs: list[Job], processes: int = 1) -> None:
    """Run what is not on disk yet, all jobs of a pool in one process; prints how far it is."""
    units: dict[tuple[Row, int], list[Job]] = {}
    for job in jobs:
        if not _path(job).exists():
            units.setdefault((job.row, job.seed), []).append(job)
    begin = time.perf_counter()
    in_turn = [
        units[unit] for unit in sorted(units, key=lambda unit: unit[1])
    ]  # a whole table of few seeds comes first
    for done, name in enumerate(_in_processes(in_turn, processes), start=1):
        print(f"  {done} of {len(units)} pools, {time.perf_counter() - begin:.0f} s: {name}", flush=True)


def _in_processes(units: list[list[Job]], processes: int) -> Iterator[str]:
    if processes <= 1:
        yield from map(_run_unit, units)
        return
    with ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("spawn")) as workers:
        for future in as_completed([workers.submit(_run_unit, unit) for unit in units]):
            yield future.result()


def _run_unit(jobs: list[Job]) -> str:
    for job in jobs:
        result(job)
    return f"{jobs[0].row.name}, seed {jobs[0].seed}, {len(jobs)} replays"


def _path(job: Job) -> Path:
    """Return the file of a run; runs whose code, settings or data differ have different names."""
    contestant = CONTESTANTS[job.policy]
    cost = str(job.error_cost) if contestant.asks_cost else "any"
    policy = contestant.make(_costs(job, 2))
    code = cache.fingerprint(
        (*modules(policy), "quorate.replay.pool", "benchmarks.decision.rows"),
        repr(policy) if contestant.asks_cost else repr(replace(policy, costs=None)),  # type: ignore[type-var]
        (contestant.machine, contestant.batch),
        without=replaced(policy),
    )
    name = f"{job.condition.name}-{job.policy}-{cost}-{job.seed}-{code}.npz".replace(" ", "_")
    return cache.folder() / job.row.name.replace(":", "-") / name


def _replayed(job: Job) -> dict[str, NDArray[Any]]:
    asked = pool(job.row, job.seed, with_gold=job.condition.with_gold, machine=job.condition.machine)
    contestant = CONTESTANTS[job.policy]
    policy = contestant.make(_costs(job, asked.votes.n_classes))
    machine = asked.machine if contestant.machine else None
    begin = time.process_time()
    outcome = replay(
        policy, asked.votes, asked.gold, machine, known_gold=asked.known, seed=job.seed, batch=contestant.batch
    )
    seconds = time.process_time() - begin
    first = 0
    if job.policy == ENGINE:
        seconds /= _slowness(int(time.time() // 120))
        only = Watched(policy=policy, only_warm_up=True)
        first = int(
            replay(only, asked.votes, asked.gold, asked.machine, known_gold=asked.known, seed=job.seed).votes.sum()
        )
    return {
        "votes": outcome.votes.astype(np.int16),
        "wrong": outcome.wrong,
        "first_votes": np.array(first),
        "seconds": np.array(seconds),
    }


@lru_cache(maxsize=1)
def _slowness(minutes: int) -> float:
    """Return how slow the machine is now; measured every two minutes."""
    return slowness()


def _costs(job: Job, n_classes: int) -> Costs:
    return Costs.of_error(job.error_cost, n_classes)
