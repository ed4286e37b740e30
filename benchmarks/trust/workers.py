"""Quality of workers without gold: how well rankings follow the true accuracy, and whether intervals contain it.

python -m benchmarks.trust.workers [--quick] [--json FILE]

QUORATE_DATA names the folder of the sets. The true accuracy of a worker is the share of votes that are right, among
those on tasks with gold; workers with at least 10 of them count. Rankings are compared with it by Spearman's rank
correlation. Where gold is known for few tasks only, these are often chosen for being hard or disputed, so rankings are
also measured on the sets with gold for at least half of the tasks. --quick: the same.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # two threads on two busy processors wait for each other

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.aggregation.accuracy import VoteSet, vote_sets
from benchmarks.harness import Figures, run
from quorate import workers
from quorate.aggregation.dawid_skene import DawidSkene
from quorate.io.votes import to_polars
from quorate.quality.workers.accuracy import Accuracy
from quorate.typing import Array

MIN_GOLD_VOTES = 10  # of a worker whose true accuracy is measured
MIN_WORKERS = 5  # of a set whose workers are ranked
MIN_GOLD_SHARE = 0.5  # of the tasks of a set whose gold represents them
RANKINGS = {
    "consensus_agreement": "leave-one-out agreement",
    "accuracy": "the ensemble's accuracy",
    "dawid_skene": "dawid_skene's accuracy",
}
TARGETS = {"consensus_agreement": 0.76}  # over the sets with gold for most tasks


@dataclass(frozen=True, eq=False)
class Ranked:
    """Estimates for the workers of one set beside their true accuracy; one entry per worker in every array."""

    name: str
    gold_share: float
    true: Array
    estimates: dict[str, Array]
    low: Array
    high: Array

    def spearman(self, ranking: str) -> float:
        """Return the rank correlation of an estimate with the true accuracy."""
        from scipy.stats import spearmanr

        return float(spearmanr(self.estimates[ranking], self.true).statistic)

    def error(self, ranking: str) -> float:
        """Return the root mean squared error of an estimate."""
        return float(np.sqrt(np.mean((self.estimates[ranking] - self.true) ** 2)))

    def covered(self) -> float:
        """Return the share of intervals that contain the true accuracy."""
        return float(np.mean((self.low <= self.true) & (self.true <= self.high)))


def measure(figures: Figures, quick: bool) -> None:
    """Rank the workers of every set, and compare with their true accuracy."""
    ranked = [result for one in vote_sets() if (result := rank(one)) is not None]
    most_gold = [one for one in ranked if one.gold_share >= MIN_GOLD_SHARE]
    for ranking, words in RANKINGS.items():
        values = {one.name: round(one.spearman(ranking), 3) for one in ranked}
        figures.add(
            f"workers: Spearman, sets with gold for most tasks: {words}",
            _mean([one.spearman(ranking) for one in most_gold]),
            "",
            least=TARGETS.get(ranking),
            note=f"{len(most_gold)} sets",
            details={"sets": values},
        )
        figures.add(
            f"workers: Spearman, all sets: {words}",
            _mean([one.spearman(ranking) for one in ranked]),
            "",
            note=f"{len(ranked)} sets",
        )
        figures.add(f"workers: RMSE, all sets: {words}", _mean([one.error(ranking) for one in ranked]), "")
    covered = {one.name: round(one.covered(), 3) for one in ranked}
    mean_covered = _mean([one.covered() for one in ranked])
    figures.add(
        "workers: share of 95% intervals with the true accuracy",
        mean_covered,
        "",
        least=0.93,
        details={"sets": covered},
    )
    width = _mean([float(np.mean(one.high - one.low)) for one in ranked])
    figures.add("workers: mean width of these intervals", width, "")


def rank(one: VoteSet) -> Ranked | None:
    """Return the estimates for the workers of a set whose true accuracy is measured; None if there are too few."""
    table = to_polars(workers(one.votes))
    scores = {name: table[name].to_numpy() for name in table.columns if table[name].dtype.is_float()}
    scores["dawid_skene"] = Accuracy().score(one.votes, DawidSkene().aggregate(one.votes))
    true, n_gold_votes = true_accuracy(one)
    counts = (n_gold_votes >= MIN_GOLD_VOTES) & ~np.isnan(scores["consensus_agreement"])
    if counts.sum() < MIN_WORKERS:
        return None
    voted = one.votes.votes_per_task > 0
    return Ranked(
        name=one.name,
        gold_share=float(np.mean(one.gold[voted] >= 0)),
        true=true[counts],
        estimates={ranking: scores[ranking][counts] for ranking in RANKINGS},
        low=scores["consensus_low"][counts],
        high=scores["consensus_high"][counts],
    )


def true_accuracy(one: VoteSet) -> tuple[Array, NDArray[np.int64]]:
    """Return the share of each worker's votes that are right, and the number of votes on tasks with gold."""
    votes = one.votes
    gold = one.gold[votes.task]
    rows = (gold >= 0) & (votes.worker >= 0)
    n_gold_votes = np.bincount(votes.worker[rows], minlength=votes.n_workers)
    right = np.bincount(votes.worker[rows], (gold == votes.label)[rows], minlength=votes.n_workers)
    return right / np.maximum(n_gold_votes, 1), n_gold_votes


def _mean(values: list[float]) -> float:
    return float(np.mean(values))


if __name__ == "__main__":
    run(measure, __doc__ or "")
