"""Rating scales to measure on: three ways to simulate workers, and real ratings of movies.

None of the three simulated crowds follows the model of the method `ordinal`. Workers have 10 to 40 votes each, unless
more are asked for.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from quorate import Votes, datasets
from quorate.simulation import simulate_ratings
from quorate.simulation.ratings import different_workers
from quorate.typing import Array

N_TASKS = 600
MOVIES = "movie_reviews_3class"
SPAMMERS = 0.12


class Scale(NamedTuple):
    """Votes on a scale, classes in order, and the true class of each task, -1 = unknown."""

    votes: Votes
    gold: NDArray[np.int64]


def cumulative_normal(n_points: int, votes_per_task: int, seed: int) -> Scale:
    """Simulate workers who perceive a continuous value with bias, stretch and noise; limits are uneven."""
    ratings = simulate_ratings(n_tasks=N_TASKS, votes_per_task=votes_per_task, n_points=n_points, seed=seed)
    return Scale(ratings.votes, ratings.gold)


def bounded_noise(n_points: int, votes_per_task: int, seed: int) -> Scale:
    """Simulate workers who are right, or one or two points off, more often in one direction; spammers vote evenly."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(n_points, size=N_TASKS)
    task, worker, n_workers = _assign(votes_per_task, rng)
    right, upward, far = (rng.beta(a, b, size=n_workers)[worker] for a, b in ((4, 4.5), (2, 2), (2, 6)))
    draw = rng.random((3, len(task)))
    offset = np.where(draw[1] < far, 2, 1) * np.where(draw[2] < upward, 1, -1)
    label = np.clip(gold[task] + np.where(draw[0] < right, 0, offset), 0, n_points - 1)
    spammer = (rng.random(n_workers) < SPAMMERS)[worker]
    label = np.where(spammer, rng.integers(n_points, size=len(task)), label)
    return Scale(Votes.from_arrays(task, worker, label, n_classes=n_points, n_tasks=N_TASKS, n_workers=n_workers), gold)


def prototype_matrices(n_points: int, votes_per_task: int, seed: int, votes_per_worker: int = 25) -> Scale:
    """Simulate workers whose confusion matrix is a prototype with every row drawn from a Dirichlet around it.

    Classes are unevenly common. A quarter of the workers are careful, a fifth are sloppy, others are severe or lenient,
    avoid or prefer the ends of the scale, use only the ends and the middle, or vote at random.
    """
    rng = np.random.default_rng(seed)
    gold = rng.choice(n_points, size=N_TASKS, p=rng.dirichlet(np.full(n_points, 3.0)))
    task, worker, n_workers = _assign(votes_per_task, rng, votes_per_worker)
    share = np.array([0.25, 0.2, 0.12, 0.12, 0.1, 0.08, 0.09, 0.04])
    kind = rng.choice(len(share), size=n_workers, p=share)
    weights = rng.gamma(12 * _prototypes(n_points)[kind] + 1e-9)  # (n_workers, true, voted)
    matrices = weights / weights.sum(axis=2, keepdims=True)
    label = (rng.random((len(task), 1)) > matrices[worker, gold[task]].cumsum(axis=1)[:, :-1]).sum(axis=1)
    return Scale(Votes.from_arrays(task, worker, label, n_classes=n_points, n_tasks=N_TASKS, n_workers=n_workers), gold)


CROWDS: dict[str, Callable[[int, int, int], Scale]] = {
    "cumulative normal": cumulative_normal,
    "bounded noise": bounded_noise,
    "prototype matrices": prototype_matrices,
}


def movies_3_classes() -> Scale:
    """Return the votes of movie_reviews_3class: negative, middling, positive."""
    data = datasets.load(MOVIES)
    assert data.votes is not None
    return Scale(data.votes, np.where(data.votes.votes_per_task > 0, data.gold, -1))


def movie_ratings(n_points: int) -> Scale:
    """Return the ratings of the same reviews, from 0 to 1 in steps of .1, cut into points of the same width.

    The true class is that of the rating which the review's author gave.
    """
    folder = Path(os.environ["QUORATE_DATA"]) / MOVIES
    ratings = pl.read_csv(folder / "ratings.csv.gz")
    items = pl.read_csv(folder / "items.csv.gz").filter(pl.col("task").is_in(ratings["task"].unique().to_list()))

    def cut(values: pl.Series) -> NDArray[np.int64]:
        steps = values.to_numpy() * 10 if n_points == 11 else np.floor(values.to_numpy() * n_points + 1e-9)
        return np.clip(np.rint(steps), 0, n_points - 1).astype(np.int64)

    frame = ratings.with_columns(label=cut(ratings["rating"]))
    votes = Votes.from_frame(frame, tasks=items["task"].to_list(), classes=np.arange(n_points))
    return Scale(votes, cut(items["rating"]))


def _assign(
    votes_per_task: int, rng: np.random.Generator, votes_per_worker: int = 25
) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """Draw who votes on what, some four times as often as others: (task and worker of each vote, number of workers)."""
    n_workers = N_TASKS * votes_per_task // votes_per_worker
    activity = rng.uniform(10, 40, size=n_workers)
    worker = different_workers(N_TASKS, activity, votes_per_task, rng).ravel()
    return np.repeat(np.arange(N_TASKS), votes_per_task), worker, n_workers


def _prototypes(n_points: int) -> Array:
    points = np.arange(n_points, dtype=np.float64)
    middle = (n_points - 1) / 2

    def near(centre: Array, width: float) -> Array:
        return np.exp(-np.abs(points - centre[:, None]) / width)

    ends = np.where(points < middle, 0, np.where(points > middle, n_points - 1, middle))
    weights = np.stack(
        [
            near(points, 0.45),  # careful
            near(points, 1.3),  # sloppy
            near(points - 0.8, 0.7),  # severe
            near(points + 0.8, 0.7),  # lenient
            near(middle + 0.5 * (points - middle), 0.6),  # avoids the ends
            near(np.clip(middle + 1.6 * (points - middle), 0, n_points - 1), 0.8),  # prefers the ends
            np.ones((n_points, n_points)),  # random
            (np.floor(ends)[:, None] == points) + 0.12,  # the ends and the middle only
        ]
    )
    return weights / weights.sum(axis=2, keepdims=True)
