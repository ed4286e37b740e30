"""Time of a decision, on a million items at once and on one.

python -m benchmarks.decision.speed [--quick] [--json FILE]

--quick: the best of three rounds of decisions on a million items instead of five.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import time
from dataclasses import replace

import numpy as np

from benchmarks.harness import Figures, best_cpu, gather_seconds, run, slowness
from quorate.data.costs import Costs, Prices
from quorate.data.votes import Votes
from quorate.decision.base import PoolState
from quorate.decision.fusion.log_linear import FusedLogLinear
from quorate.decision.policies.expected_loss import ExpectedLoss
from quorate.inference.crowd_model import Crowd, symmetric

N_TASKS, N_CLASSES, N_WORKERS = 1_000_000, 10, 1000


def measure(figures: Figures, quick: bool) -> None:
    """Add all rows."""
    policy = ExpectedLoss(
        costs=Costs.of_error(100, N_CLASSES), prices=Prices(votes={"crowd": 1, "expert": 10, "7": 0.5})
    )
    slow = slowness()
    state = a_pool(N_TASKS)
    seconds = best_cpu(lambda: policy.decide(state), repeats=3 if quick else 5)
    asked = int((policy.decide(state).action == 1).sum())
    figures.add(
        f"one round of decisions: {N_TASKS:,} items, 10 classes, 3 kinds of voter",
        seconds,
        "s",
        most=2.0 * slow,
        note=f"{asked / N_TASKS:.0%} ask",
        details={"slowness": slow, "gather_seconds": gather_seconds(), "quick": quick},
    )
    figures.add("one item: its decision when a vote comes in", 1e3 * one_decision(policy, state), "ms", most=1.0 * slow)


def a_pool(n_tasks: int) -> PoolState:
    """Items with one vote on average and a machine that is unsure of many."""
    random = np.random.default_rng(0)
    truth = random.integers(0, N_CLASSES, n_tasks)
    task = random.integers(0, n_tasks, n_tasks)
    worker = random.integers(0, N_WORKERS, n_tasks)
    _, first = np.unique(task * N_WORKERS + worker, return_index=True)
    task, worker = task[first], worker[first]
    labels = np.where(random.random(len(task)) < 0.8, truth[task], random.integers(0, N_CLASSES, len(task)))
    votes = Votes.from_arrays(task, worker, labels, n_classes=N_CLASSES, n_tasks=n_tasks, n_workers=N_WORKERS)
    sure = random.beta(6, 1, n_tasks)
    guess = np.where(random.random(n_tasks) < sure, truth, random.integers(0, N_CLASSES, n_tasks))
    machine = np.repeat((1 - sure)[:, None] / (N_CLASSES - 1), N_CLASSES, axis=1)
    machine[np.arange(n_tasks), guess] = sure
    table = np.stack([symmetric(right, N_CLASSES) for right in random.uniform(0.6, 0.95, N_WORKERS + 1)])
    model = FusedLogLinear(Crowd(votes.workers, table), np.full(N_CLASSES, 1 / N_CLASSES), 0.8, 0.85)
    return PoolState(
        votes=votes,
        machines={"machine": machine},
        model=model,
        gold=np.full(n_tasks, -1),
        open=np.ones((n_tasks, 3), dtype=bool),
    )


def one_decision(policy: ExpectedLoss, state: PoolState) -> float:
    """Median seconds of a decision on a pool of one item with three votes, warm: what a service does for each vote."""
    votes = Votes.from_arrays([0, 0, 0], [3, 5, 8], [1, 1, 2], n_classes=N_CLASSES, n_tasks=1, n_workers=N_WORKERS)
    alone = replace(
        state,
        votes=votes,
        machines={"machine": state.machines["machine"][:1]},
        gold=state.gold[:1],
        open=state.open[:1],
    )
    times = []
    for _ in range(1000):
        begin = time.perf_counter()
        policy.decide(alone)
        times.append(time.perf_counter() - begin)
    return float(np.median(times))


if __name__ == "__main__":
    run(measure, __doc__ or "")
