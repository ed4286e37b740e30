"""Remaining votes and spend of a question, with bands, and the sample of tasks on which they are simulated."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np
from numpy.typing import NDArray

from quorate.decision.base import PoolState
from quorate.forecasts.forecast import Band
from quorate.service.refit.decide_pool import PoolView
from quorate.service.refit.train import sample_rows

MAX_SIMULATED, MAX_OTHERS = 600, 300  # tasks that are simulated, and others whose votes inform about the voters
RUNS = 3
ZERO = Band(value=0.0, low=0.0, high=0.0)


def sum_bands(bands: Sequence[Band]) -> Band:
    """Return the sum of amounts whose errors are independent; its lower end is at least zero.

    >>> sum_bands([Band(value=10, low=7, high=13), Band(value=20, low=16, high=24)])
    Band(value=30.0, low=25.0, high=35.0)
    """
    value = float(sum(band.value for band in bands))
    below = float(np.hypot.reduce([band.value - band.low for band in bands], initial=0.0))
    above = float(np.hypot.reduce([band.high - band.value for band in bands], initial=0.0))
    return Band(value=value, low=max(value - below, 0.0), high=value + above)


def band_to_json(band: Band) -> dict[str, float]:
    """Return a band as it is stored: rounded, and cut off at zero."""
    return {name: max(0.0, round(float(number), 6)) for name, number in asdict(band).items()}


@dataclass(frozen=True)
class Remaining:
    """Votes that are still to come, and what they cost."""

    votes: Band = ZERO
    spend: Band = ZERO

    def __add__(self, other: "Remaining") -> "Remaining":
        return Remaining(sum_bands([self.votes, other.votes]), sum_bands([self.spend, other.spend]))


@dataclass(frozen=True, eq=False)
class TaskSample:
    """Tasks on which the remaining votes are simulated.

    Attributes:
        rows: indices of the tasks in the pool.
        state: these tasks as a pool of their own.
        votes_left: (n_rows,), how many votes each may still get.
        scale: tasks of the pool for each task that is simulated.
    """

    rows: NDArray[np.int64]
    state: PoolState
    votes_left: NDArray[np.int64]
    scale: float


def sample_tasks(view: PoolView, candidates: NDArray[np.bool_], max_others: int = MAX_OTHERS) -> TaskSample:
    """Draw some candidates, which are open, and some other tasks with votes or gold labels, which are not."""
    simulated = sample_rows(np.flatnonzero(candidates), MAX_SIMULATED)
    others = np.setdiff1d(np.flatnonzero(view.snapshot.informed), simulated)
    rows = np.union1d(simulated, sample_rows(others, max_others, seed=1))
    pool = view.subset(rows)
    return TaskSample(
        rows=rows,
        state=replace(pool, open=pool.open & view.affordable & np.isin(rows, simulated)[:, None]),
        votes_left=np.maximum(view.asked.max_votes - pool.votes.votes_per_task, 0),
        scale=candidates.sum() / max(len(simulated), 1),
    )
