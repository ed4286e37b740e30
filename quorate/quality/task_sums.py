"""Measures of agreement that are functions of sums over tasks: their value, and its interval by the jackknife."""

from typing import ClassVar, Protocol, runtime_checkable

import numpy as np
from scipy.special import stdtrit

from quorate.data.votes import Votes
from quorate.typing import Array

ROUNDING = 1e-12  # a share below it is zero, but for the rounding errors of sums
BLOCK = 1 << 22  # numbers per block of leave-one-out sums: 32 MB


@runtime_checkable
class TaskSums(Protocol):
    """A measure that is computed from sums over tasks, so that leaving out a task is one subtraction."""

    bounds: ClassVar[tuple[float, float]]

    def task_parts(self, votes: Votes) -> Array:
        """Return what each task that counts adds to the sums: (n_counted_tasks, n_sums)."""
        ...

    def from_sums(self, sums: Array) -> Array:
        """Return the measure, (...), from sums over tasks, (..., n_sums); NaN where it is undefined."""
        ...


def score_sums(measure: TaskSums, votes: Votes) -> float:
    """Return the measure of all votes; NaN if no task counts."""
    parts = measure.task_parts(votes)
    return float(measure.from_sums(parts.sum(axis=0))) if len(parts) else np.nan


def jackknife(measure: TaskSums, votes: Votes, level: float = 0.95) -> tuple[float, float]:
    """Return the ends of the interval of a measure if other tasks of this kind were voted on, by the jackknife.

    The measure is computed without each task in turn. With v the variance of these n values, the standard error is
    sqrt((n - 1) v), and the interval is the measure plus or minus t standard errors (Student's t, n - 1 degrees of
    freedom), cut to the measure's bounds. NaN if there are fewer than two tasks, if the values are all equal, as where
    all votes agree, or if the measure is undefined without one of the tasks: then the votes do not show the spread.

    Args:
        measure: the measure.
        votes: the votes; the workers are taken as they are, only tasks are a sample.
        level: the coverage of the interval.

    Paper: Efron and Stein, "The jackknife estimate of variance", Annals of Statistics 1981.
    """
    parts = measure.task_parts(votes)
    n_tasks = len(parts)
    if n_tasks < 2:
        return np.nan, np.nan
    sums = parts.sum(axis=0)
    step = max(1, BLOCK // parts.shape[1])
    without = np.concatenate([measure.from_sums(sums - parts[i : i + step]) for i in range(0, n_tasks, step)])
    standard_error = np.sqrt(n_tasks - 1) * without.std()
    if not standard_error > ROUNDING:  # NaN too
        return np.nan, np.nan
    value = float(measure.from_sums(sums))
    margin = float(stdtrit(n_tasks - 1, (1 + level) / 2)) * standard_error
    lowest, highest = measure.bounds
    return float(max(value - margin, lowest)), float(min(value + margin, highest))


def ratio(numerator: Array, denominator: Array) -> Array:
    """Return a quotient, NaN where the denominator is zero but for rounding.

    >>> ratio(np.array([1.0, 0.0]), np.array([2.0, 1e-17])).tolist()
    [0.5, nan]
    """
    return np.divide(numerator, np.where(np.abs(denominator) > ROUNDING, denominator, np.nan))
