"""The rest of a question: some of its tasks played through by the models of a round."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from quorate.decision.base import PoolState
from quorate.forecasts.forecast import Band
from quorate.service.forecasts.bands import added
from quorate.service.refit.decide_pool import PoolView
from quorate.service.refit.train import sample_rows

MOST_PLAYED, MOST_OTHERS = 600, 300  # tasks that are played through, and others that tell of the voters
RUNS = 3
NOTHING = Band(value=0.0, low=0.0, high=0.0)


@dataclass(frozen=True)
class Rest:
    """Votes that are still to come, and what they cost."""

    votes: Band = NOTHING
    spend: Band = NOTHING

    def __add__(self, other: "Rest") -> "Rest":
        return Rest(added([self.votes, other.votes]), added([self.spend, other.spend]))


@dataclass(frozen=True, eq=False)
class Stage:
    """Tasks on which the rest is played through. rows: their places. left: how many votes each can still have.

    scale: how many tasks there are for each one that is played through.
    """

    rows: NDArray[np.int64]
    state: PoolState
    left: NDArray[np.int64]
    scale: float


def stage_of(view: PoolView, candidates: NDArray[np.bool_], others: int = MOST_OTHERS) -> Stage:
    """Some tasks that may be asked about, which alone are open, and some others with votes or gold."""
    played = sample_rows(np.flatnonzero(candidates), MOST_PLAYED)
    informed = np.setdiff1d(np.flatnonzero(view.snapshot.informed), played)
    rows = np.union1d(played, sample_rows(informed, others, seed=1))
    pool = view.subset(rows)
    return Stage(
        rows=rows,
        state=replace(pool, open=pool.open & view.affordable & np.isin(rows, played)[:, None]),
        left=np.maximum(view.asked.most_votes - pool.votes.votes_per_task, 0),
        scale=candidates.sum() / max(len(played), 1),
    )
