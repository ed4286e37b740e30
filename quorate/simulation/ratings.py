"""Votes on a rating scale, of workers with different biases, precision and use of the scale."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from quorate.data.ids import as_names
from quorate.data.option_checks import require_number
from quorate.data.votes import Votes
from quorate.errors import MethodError
from quorate.typing import Array

MEAN_VOTES_PER_WORKER = 25
ACTIVITY = (10.0, 40.0)  # least and most active worker, in votes
BIAS = 0.5  # standard deviation, in steps of the scale, as the spread
SPREAD, SPREAD_DEVIATION = 0.9, 0.4  # median, and standard deviation of the logarithm
STRETCH = 0.2  # standard deviation around one
GAP_DEVIATION = 0.25  # standard deviation of the logarithm of the gaps between limits
SPAMMERS = 0.12
MAX_CELLS = 10_000_000  # tasks x workers handled at a time
MAX_VOTES = 10_000_000


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class SimulatedRatings:
    """Simulated ratings, the true classes and the workers behind them.

    Attributes:
        votes: the votes; classes are numbered from 1.
        gold: (n_tasks,), true class of each task, as an index.
        bias: (n_workers,), how much higher than the truth each worker perceives tasks, in steps of the scale.
        spread: (n_workers,), standard deviation of the worker's perception.
        spammer: (n_workers,), whether the worker does not look at the task.
    """

    votes: Votes
    gold: NDArray[np.int64]
    bias: Array
    spread: Array
    spammer: NDArray[np.bool_]

    def __repr__(self) -> str:
        return f"SimulatedRatings({self.votes!r} with gold; {self.spammer.sum()} spammers)"


def simulate_ratings(
    *, n_tasks: int = 500, votes_per_task: int = 5, n_points: int = 5, seed: int = 0
) -> SimulatedRatings:
    """Draw votes on a rating scale, and return them with the true classes and the parameters of the workers.

    A task has a value on a continuous scale, and its class is the interval in which the value lies; intervals differ in
    width, and classes in the middle are more common. A worker perceives stretch * value + bias + normal noise, and
    votes for the interval in which that lies. Biases have a standard deviation of half a step, the median spread of the
    noise is .9 steps, the stretch is about 1. One worker in eight does not look at the task, and draws votes from a
    distribution of their own. Workers have 10 to 40 votes each, 25 on average.

    Args:
        n_tasks: number of tasks.
        votes_per_task: votes on each task, all of different workers.
        n_points: number of points of the scale, at least two.
        seed: seed of the random generator.

    >>> simulate_ratings(n_tasks=100, votes_per_task=3, seed=1).votes
    Votes(300 votes, 100 tasks, 12 workers, 5 classes)
    """
    require_number("n_tasks", n_tasks, at_least=1, whole=True)
    require_number("votes_per_task", votes_per_task, at_least=1, whole=True)
    require_number("n_points", n_points, at_least=2, whole=True)
    require_number("seed", seed, at_least=0, whole=True)
    if n_tasks * votes_per_task > MAX_VOTES:
        raise MethodError(f"at most {MAX_VOTES:,} ratings can be simulated, got {n_tasks * votes_per_task:,}")
    rng = np.random.default_rng(seed)
    n_workers = max(n_tasks * votes_per_task // MEAN_VOTES_PER_WORKER, votes_per_task)
    limits = _limits(n_points, rng)
    value = rng.normal(0, n_points / 4, size=n_tasks)
    task = np.repeat(np.arange(n_tasks), votes_per_task)
    worker = different_workers(n_tasks, rng.uniform(*ACTIVITY, size=n_workers), votes_per_task, rng).ravel()
    bias, stretch = rng.normal(0, BIAS, size=n_workers), rng.normal(1, STRETCH, size=n_workers)
    spread = rng.lognormal(np.log(SPREAD), SPREAD_DEVIATION, size=n_workers)
    perceived = stretch[worker] * value[task] + bias[worker] + spread[worker] * rng.normal(size=len(task))
    spammer = rng.random(n_workers) < SPAMMERS
    habit = rng.dirichlet(np.ones(n_points), size=n_workers).cumsum(axis=1)[:, :-1]
    random_label = (rng.random((len(task), 1)) > habit[worker]).sum(axis=1)
    votes = Votes(
        task=task,
        worker=worker,
        label=np.where(spammer[worker], random_label, np.searchsorted(limits, perceived)),
        tasks=as_names([f"t{number}" for number in range(n_tasks)]),
        workers=as_names([f"w{number}" for number in range(n_workers)]),
        classes=np.arange(1, n_points + 1),
    )
    gold = np.searchsorted(limits, value)
    return SimulatedRatings(votes=votes, gold=gold, bias=bias, spread=spread, spammer=spammer)


def _limits(n_points: int, rng: np.random.Generator) -> Array:
    """Draw the limits between the points, (n_points - 1,): one step apart on average, with a mean of zero."""
    gaps = rng.lognormal(0, GAP_DEVIATION, size=n_points - 1)
    limits: Array = np.cumsum(gaps / gaps.mean())
    return limits - limits.mean()


def different_workers(
    n_tasks: int, activity: Array, votes_per_task: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Draw different workers for each task, the active ones more often: (n_tasks, votes_per_task).

    Args:
        n_tasks: number of tasks.
        activity: (n_workers,), how likely each worker is to be drawn first, up to a factor.
        votes_per_task: number of workers to draw.
        rng: random generator.
    """
    block = max(1, MAX_CELLS // len(activity))  # bounds the memory
    sizes = [min(block, n_tasks - begin) for begin in range(0, n_tasks, block)]
    waiting = [rng.exponential(size=(size, len(activity))) / activity for size in sizes]
    return np.concatenate([np.argsort(times, axis=1)[:, :votes_per_task] for times in waiting])
