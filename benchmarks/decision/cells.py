"""Losses of policies, cell by cell: a row of the table at one price of errors, and how sure their ratio is.

Intervals are of a paired bootstrap over items: items of the set are drawn with replacement, each with all replays (of
all seeds) that it was in, and both policies are added up over the same draw. So an item that is in every pool, as in
a small set, counts as one item and not as ten. The baseline of a cell is the one with the lowest mean, chosen in
hindsight on the same replays, which favours it.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from benchmarks.decision.contestants import CONTESTANTS, ENGINE
from benchmarks.decision.rows import Row, drawn, source
from benchmarks.decision.runs import Condition, Job, Run, result

DRAWS = 1000
NOISE = 1.03  # a ratio whose interval reaches down to here is within noise


@dataclass(frozen=True, eq=False)
class Replays:
    """All seeds of a policy in one cell, added up by item. (n_items,) of the set.

    open: in how many pools the item was without its gold given away: what losses are counted per.
    """

    open: NDArray[np.float64]
    votes: NDArray[np.float64]
    wrong: NDArray[np.float64]
    error_cost: float
    seconds: float
    later_votes: float  # per item, after the warm-up

    @property
    def total(self) -> NDArray[np.float64]:
        """Loss of every item, over all its replays."""
        return self.votes + self.error_cost * self.wrong

    @property
    def loss(self) -> float:
        """Per item, in votes."""
        return float(self.total.sum() / self.open.sum())

    @property
    def votes_per_item(self) -> float:
        """Mean."""
        return float(self.votes.sum() / self.open.sum())

    @property
    def error(self) -> float:
        """Share of wrong labels."""
        return float(self.wrong.sum() / self.open.sum())


@lru_cache(maxsize=512)
def replays(row: Row, condition: Condition, policy: str, error_cost: int, seeds: int) -> Replays:
    """Return the replays of all seeds together."""
    is_open, votes, wrong = (np.zeros(len(source(row).gold)) for _ in range(3))
    runs: list[Run] = []
    for seed in range(seeds):
        pool = drawn(row, seed, condition.with_gold)
        assert pool is not None
        run = result(Job(row, seed, condition, policy, error_cost))
        is_open[pool.items] += pool.open
        votes[pool.items] += run.votes
        wrong[pool.items] += run.wrong
        runs.append(run)
    later = votes.sum() - sum(run.first_votes for run in runs)
    seconds = float(np.median([run.seconds for run in runs]))
    return Replays(is_open, votes, wrong, error_cost, seconds, float(later / is_open.sum()))


@dataclass(frozen=True)
class Ratio:
    """A ratio of mean losses, and its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def within_noise(self) -> bool:
        """Whether its interval reaches 1.03."""
        return self.low <= NOISE

    @property
    def verdict(self) -> str:
        """Below one, above one, or neither for sure."""
        return "win" if self.high < 1 else "loss" if self.low > 1 else "tie"


def ratio(ours: Replays, theirs: Replays, *, seed: int = 0) -> Ratio:
    """Return the ratio of the losses of two policies on the same items, with its bootstrap interval."""
    drawn = _weights(len(ours.total), seed)
    ratios = (drawn @ ours.total / (drawn @ ours.open)) / (drawn @ theirs.total / (drawn @ theirs.open))
    low, high = np.quantile(ratios, [0.025, 0.975])
    return Ratio(ours.loss / theirs.loss, float(low), float(high))


@lru_cache(maxsize=4)
def _weights(n_items: int, seed: int) -> NDArray[np.float32]:
    """Return how often each item is in each bootstrap sample: (DRAWS, n_items)."""
    rng = np.random.default_rng(seed)
    counts = [np.bincount(rng.integers(0, n_items, n_items), minlength=n_items) for _ in range(DRAWS)]
    return np.array(counts, dtype=np.float32)


@dataclass(frozen=True)
class Cell:
    """A row of the table at one price of errors. ratio: of the engine to the best of all others."""

    row: str
    condition: str
    error_cost: int
    losses: dict[str, float]
    votes: float
    error: float
    best: str
    ratio: Ratio

    def to_json(self) -> dict[str, object]:
        """Return the cell as the result file has it."""
        return {
            "row": self.row,
            "condition": self.condition,
            "error_cost": self.error_cost,
            "votes": round(self.votes, 3),
            "error": round(self.error, 4),
            "best": self.best,
            "ratio": round(self.ratio.value, 3),
            "low": round(self.ratio.low, 3),
            "high": round(self.ratio.high, 3),
            "losses": {name: round(loss, 3) for name, loss in self.losses.items()},
        }


def cell(row: Row, condition: Condition, error_cost: int, seeds: int, names: list[str]) -> Cell:
    """Compare the engine with all other policies."""
    totals = {
        name: replays(row, condition, name, error_cost, seeds)
        for name in names
        if condition.with_gold or not CONTESTANTS[name].needs_gold
    }
    losses = {name: total.loss for name, total in totals.items()}
    best = min((name for name in losses if name != ENGINE), key=losses.__getitem__, default=ENGINE)
    engine = totals[ENGINE]
    compared = ratio(engine, totals[best])
    return Cell(row.name, condition.name, error_cost, losses, engine.votes_per_item, engine.error, best, compared)
