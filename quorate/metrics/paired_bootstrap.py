"""Paired bootstrap: scores of several methods on the same resamples of tasks, and which methods may be the best."""

from typing import Any

import numpy as np

from quorate.typing import Array

MAX_GROUPS = 4000  # more tasks than these are resampled in groups, which bounds time and memory
REPEATS = 1000
ROUNDING = 1e-9  # scores that differ by less are equal


def group_tasks(parts: Array, *, seed: int = 0) -> Array:
    """Return the sums over random groups of tasks, at most 4000: (n_groups, n_sums). Fewer tasks are returned as such.

    Groups of equally many tasks, drawn at random, vary as single tasks do once they are summed, so that resampling
    groups gives the same spread of a sum. parts: (n_tasks, n_sums), what each task adds to the sums.

    >>> group_tasks(np.ones((10_000, 2))).shape
    (4000, 2)
    """
    if len(parts) <= MAX_GROUPS:
        return parts
    group = np.random.default_rng(seed).permutation(len(parts)) % MAX_GROUPS
    return np.stack([np.bincount(group, column, minlength=MAX_GROUPS) for column in parts.T], axis=1)


def resample_sums(parts: Array, *, repeats: int = REPEATS, seed: int = 0) -> Array:
    """Return sums over tasks that are drawn with replacement, as many as there are: (repeats, n_sums).

    All columns use the same draws, so that sums of different methods can be compared draw by draw.

    Args:
        parts: what each task adds to the sums, (n_tasks, n_sums).
        repeats: the number of draws.
        seed: of the draws.

    >>> resample_sums(np.array([[1.0, 10.0], [2.0, 20.0]]), repeats=3).tolist()
    [[4.0, 40.0], [3.0, 30.0], [2.0, 20.0]]
    """
    random, n_tasks = np.random.default_rng(seed), len(parts)
    sums = np.empty((repeats, parts.shape[1]))
    for repeat in range(repeats):
        times_drawn = np.bincount(random.integers(n_tasks, size=n_tasks), minlength=n_tasks)
        sums[repeat] = times_drawn @ parts
    return sums


def best_p_values(values: Array, repeats: Array, n_tasks: int) -> Array:
    """Return the p-value of "no other method is better" for each method, where high scores are good: (n_methods,).

    For method i, the statistic is the largest lead of another method over it, in standard errors of that lead; its
    distribution under the hypothesis is that of the repeats minus the values. Methods with a p-value of 5% or more are
    not distinguishable from the best, and the truly best method is among them with a probability of about 95%, however
    many methods there are: the choice of the best on these very tasks is part of the test. The highest score has
    p-value 1. No paired test of n tasks can have a p-value below 2^-n, so none is returned.

    Args:
        values: scores on all tasks, (n_methods,).
        repeats: scores on resamples of the tasks, the same for all methods, (n_repeats, n_methods); those of a biased
            score, such as ECE, shifted so that their mean is the value.
        n_tasks: the number of tasks.

    Papers: Hsu, "Constrained simultaneous confidence intervals for multiple comparisons with the best", Annals of
    Statistics 1984; Hansen, "A test for superior predictive ability", Journal of Business and Economic Statistics 2005,
    for the bootstrap.

    >>> right = np.repeat([[1, 1, 0], [1, 0, 0], [0, 1, 0]], [80, 8, 8], axis=0)  # 96 tasks, three methods
    >>> best_p_values(right.mean(axis=0), resample_sums(right) / 96, 96).round(3).tolist()
    [1.0, 1.0, 0.001]
    """
    noise = repeats - values
    p_values = [_p_value(values - values[i], noise - noise[:, [i]]) for i in range(len(values))]
    return np.maximum(p_values, 0.5**n_tasks)


def _p_value(leads: Array, noise: Array) -> Any:
    """Return the p-value of "no lead is above zero", given their noise, (n_repeats, n_methods)."""
    if not np.any(leads > ROUNDING):
        return 1.0
    errors = noise.std(axis=0)
    varies = errors > ROUNDING
    if np.any(leads[~varies] > ROUNDING):
        return 0.0  # ahead by the same amount on every task
    if not varies.any():
        return 1.0
    largest = (leads[varies] / errors[varies]).max()
    at_least = ((noise[:, varies] / errors[varies]).max(axis=1) >= largest - ROUNDING).sum()
    return (1 + at_least) / (1 + len(noise))
