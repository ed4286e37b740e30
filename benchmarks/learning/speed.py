"""Cost of learning: the trace, a layer per worker, thousands of workers.

python -m benchmarks.learning.speed [--quick] [--json FILE]

--quick: three repeats instead of seven.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # two threads on two busy processors wait for each other

import time
from collections.abc import Callable

import numpy as np

from benchmarks.harness import Figures, call_in_child, report_child, run
from quorate import Votes, aggregate
from quorate.learning.bases.mlp import Mlp
from quorate.learning.heads.crowd_layer import CrowdLayer
from quorate.learning.learners.network import Network
from quorate.learning.training.recipe import Recipe
from quorate.simulation.crowd import simulate_votes

N_TASKS, N_FEATURES = 1000, 512  # as LabelMe, which also has 59 workers and 8 classes


def measure(figures: Figures, quick: bool) -> None:
    """Costs, each as a ratio to the same without it, in CPU seconds of one process."""
    repeats = 3 if quick else 7
    x, votes = labelme_like()
    posterior = aggregate(votes)

    def epochs(network: Network, *, trace: bool = False) -> Callable[[], None]:
        seen: list[object] = []
        return lambda: void(network.fit(x, votes, posterior, on_epoch=(lambda _, p: seen.append(p)) if trace else None))

    recipe = Recipe(epochs=30, batch_size=64)
    plain = Network(base=Mlp(dropout=0.5), recipe=recipe)
    crowd = Network(base=Mlp(dropout=0.5), head=CrowdLayer(), recipe=recipe)
    bare, traced, workers = least_cpu([epochs(plain), epochs(plain, trace=True), epochs(crowd)], repeats)
    figures.add("recording the trace of AUM, share of an epoch of LabelMe's MLP", traced / bare - 1, "x", most=0.10)
    figures.add("epoch of LabelMe's MLP with 59 workers' CrowdLayer, against plain", workers / bare, "x", most=1.5)
    child = call_in_child("benchmarks.learning.speed:report_many_workers")
    figures.add("peak memory, CrowdLayer of 2,571 workers x 10 classes", child.megabytes / 1000, "GB", most=1.0)


def void(_: object) -> None:
    """Nothing comes back."""


def least_cpu(works: list[Callable[[], None]], repeats: int) -> list[float]:
    """Return the lowest CPU seconds of each function; they take turns, so that other work slows all of them alike."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(repeats):
        for index, work in enumerate(works):
            begin = time.process_time()
            work()
            times[index].append(time.process_time() - begin)
    return [min(seconds) for seconds in times]


def labelme_like() -> tuple[np.ndarray, Votes]:
    """Features and votes of LabelMe's size."""
    crowd = simulate_votes(
        n_tasks=N_TASKS, votes_per_task=3, classes=[f"c{k}" for k in range(8)], workers={"reliable": 59}, seconds=False
    )
    return np.random.default_rng(0).normal(size=(N_TASKS, N_FEATURES)).astype(np.float32), crowd.votes


def train_many_workers() -> None:
    """Train one epoch with as many workers as CIFAR-10H has."""
    random = np.random.default_rng(0)
    n_votes, n_tasks = 50_000, 10_000
    task, turn = np.arange(n_votes) % n_tasks, np.arange(n_votes) // n_tasks
    votes = Votes.from_arrays(task, (task + 511 * turn) % 2571, random.integers(0, 10, n_votes), n_classes=10)
    network = Network(base=Mlp(sizes=(128,)), head=CrowdLayer(), recipe=Recipe(epochs=1))
    network.fit(random.normal(size=(n_tasks, 128)).astype(np.float32), votes, aggregate(votes))


def report_many_workers() -> None:
    """Print what that takes."""
    report_child(train_many_workers)


if __name__ == "__main__":
    run(measure, __doc__ or "")
