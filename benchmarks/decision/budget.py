"""Replays with a limited budget, and with tasks that arrive over time.

python -m benchmarks.decision.budget [--quick] [--json FILE]

QUORATE_DATA names the folder of the sets. An error costs 100 votes, and there is no gold. Losses are per item. The free
spend is what the engine spends without a budget. --quick: one seed instead of three.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # two threads on two busy processors wait for each other


from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from benchmarks.decision.rows import Row, source
from benchmarks.harness import Figures, run
from quorate import Votes
from quorate.data.costs import Costs
from quorate.decision.base import Policy
from quorate.decision.policies.expected_loss import ExpectedLoss
from quorate.decision.policies.fixed_votes import FixedVotes
from quorate.replay.budget import replay_budget
from quorate.replay.classifiers import Classifier, FixedClassifier, IncrementalClassifier
from quorate.replay.pool import replay
from quorate.replay.stream import Arrivals, StreamOutcome, replay_stream
from quorate.typing import Array, Gold

COST, SEEDS = 100.0, 3
MOST_ITEMS = 600  # of a pool with a budget
BUDGET_ROWS = (
    Row("labelme"),
    Row("music_genre"),
    Row("movie_reviews_3class"),
    Row("amazon_isbook"),
    Row("rte_snow"),
    Row("cifar10h", "resnet110"),
)
LEARNING_ROWS = ("labelme", "music_genre", "movie_reviews_3class")
STREAM_ROWS = (Row("labelme"), Row("music_genre"), Row("amazon_isbook"))
DRIFT_ROWS = (Row("labelme"), Row("amazon_isbook"))
NAIVE = ("random order", "three votes in turn")
MORE_LESSONS, LEARNING = "value, more lessons", "value and learning"  # the classifier is trained equally often in both
SHARES = (0.25, 0.5, 1.0)
MOST_STREAMED = 1000


@dataclass(frozen=True, eq=False)
class Pool:
    """Items of a set in random order, and an untrained classifier. pred_probs, x: at most one of them."""

    votes: Votes
    gold: Gold
    pred_probs: Array | None
    x: Array | None

    @classmethod
    def drawn(cls, row: Row, seed: int, most: int) -> "Pool":
        """Draw up to `most` items, different ones for each seed."""
        whole = source(row)
        items = np.random.default_rng(100 + seed).permutation(len(whole.gold))[:most]
        pred_probs = None if whole.said is None else whole.said[items]
        x = None if whole.features is None else whole.features[items]
        return cls(whole.votes.subset(tasks=items), whole.gold[items], pred_probs, x)

    @property
    def machine(self) -> Classifier | None:
        """A new one."""
        if self.x is not None:
            return IncrementalClassifier(self.x)
        return None if self.pred_probs is None else FixedClassifier(self.pred_probs)

    @property
    def costs(self) -> Costs:
        """Every error costs the same."""
        return Costs.of_error(COST, self.votes.n_classes)

    @property
    def engine(self) -> Policy:
        """The default policy."""
        return ExpectedLoss(costs=self.costs)

    def drifted(self) -> "Pool":
        """Return the items with a drift: in the second half every class is renamed to the next, also in the votes."""
        late = np.arange(len(self.gold)) >= len(self.gold) // 2
        n_classes = self.votes.n_classes
        votes = Votes.from_arrays(
            self.votes.task,
            self.votes.worker,
            _next(self.votes.label, late[self.votes.task], n_classes),
            n_tasks=self.votes.n_tasks,
            n_workers=self.votes.n_workers,
            n_classes=n_classes,
        )
        return replace(self, votes=votes, gold=_next(self.gold, late, n_classes))


def _next(label: NDArray[np.integer], late: NDArray[np.bool_], n_classes: int) -> NDArray[np.int64]:
    return np.where(late, (label + 1) % n_classes, label).astype(np.int64)


def measure(figures: Figures, quick: bool) -> None:
    """Add all figures."""
    if not os.environ.get("QUORATE_DATA"):
        raise SystemExit("QUORATE_DATA is not set: set it to the folder of the sets")
    seeds = 1 if quick else SEEDS
    _budgets(figures, seeds)
    for row in STREAM_ROWS:
        _stream(figures, row, seeds)
    for row in DRIFT_ROWS:
        _drift(figures, row, seeds)


def _budgets(figures: Figures, seeds: int) -> None:
    ratios: dict[tuple[float, str], list[float]] = {}
    for row in BUDGET_ROWS:
        losses_by_seed = [
            budget_losses(Pool.drawn(row, seed, MOST_ITEMS), seed, row.name in LEARNING_ROWS) for seed in range(seeds)
        ]
        mean = {
            key: np.mean([losses[key] for losses in losses_by_seed], axis=0) for key in losses_by_seed[0]
        }  # loss, share decided
        figures.add(f"{row.name}, free: loss", float(mean[1.0, "free"][0]), "cost")
        for (share, way), (loss, decided) in mean.items():
            if way == "free":
                continue
            figures.add(
                f"{row.name}, {share:.0%} of the free spend, {way}: loss",
                float(loss),
                "cost",
                details={"decided": float(decided)},
            )
            if way in NAIVE:
                ratios.setdefault((share, f"value to {way}"), []).append(float(mean[share, "value"][0] / loss))
            if way == LEARNING:
                ratios.setdefault((share, f"{LEARNING} to {MORE_LESSONS}"), []).append(
                    float(loss / mean[share, MORE_LESSONS][0])
                )
    for (share, way), ratios_of_sets in ratios.items():
        mean_ratio = float(np.exp(np.mean(np.log(ratios_of_sets))))
        name = f"{share:.0%} of the free spend: loss by {way}, geometric mean of {len(ratios_of_sets)} sets"
        # with all the money that it wants any order is good; learning is shown, for it is not used
        figures.add(name, mean_ratio, "", most=1.0 if share < 1 and way.startswith("value to") else None)


def budget_losses(pool: Pool, seed: int, learning: bool) -> dict[tuple[float, str], tuple[float, float]]:
    """Mean loss and share of items decided, by (share of the free spend, way)."""
    free = replay(pool.engine, pool.votes, pool.gold, pool.machine, seed=seed)
    losses = {(1.0, "free"): (float(free.loss.mean()), 1.0)}
    fixed = FixedVotes(costs=pool.costs)
    for share in SHARES:
        budget = share * float(free.spent.sum())
        done = {
            "value": replay_budget(pool.engine, pool.votes, pool.gold, pool.machine, budget=budget, seed=seed),
            "random order": replay_budget(
                pool.engine, pool.votes, pool.gold, pool.machine, budget=budget, seed=seed, order="random"
            ),
            "three votes in turn": replay_budget(
                fixed, pool.votes, pool.gold, None, budget=budget, seed=seed, order="in_turn"
            ),
        }
        if learning and share < 1:
            for way, teach in ((MORE_LESSONS, False), (LEARNING, True)):
                done[way] = replay_budget(
                    pool.engine,
                    pool.votes,
                    pool.gold,
                    pool.machine,
                    budget=budget,
                    seed=seed,
                    learning=teach,
                    growth=1.15,
                )
        losses |= {
            (share, way): (float(outcome.loss.mean()), float(outcome.decided.mean())) for way, outcome in done.items()
        }
    return losses


def _stream(figures: Figures, row: Row, seeds: int) -> None:
    """Loss by quarter of the stream, and spend: as the machine learns, both should fall."""
    quarters, spends, pools = [], [], []
    for seed in range(seeds):
        pool = Pool.drawn(row, seed, MOST_STREAMED)
        done = replay_stream(pool.engine, pool.votes, pool.gold, pool.machine, Arrivals(recorded=True), seed=seed)
        quarters.append(done.by_part())
        spends.append(parts(done.spent, done))
        pools.append(replay(pool.engine, pool.votes, pool.gold, pool.machine, seed=seed).loss.mean())
    loss, spend = np.mean(quarters, axis=0), np.mean(spends, axis=0)
    for quarter, (cost, money) in enumerate(zip(loss, spend, strict=True), start=1):
        figures.add(
            f"{row.name}, stream, quarter {quarter}: loss", float(cost), "cost", details={"spend": float(money)}
        )
    figures.add(f"{row.name}, the whole pool at once: loss", float(np.mean(pools)), "cost")
    figures.add(f"{row.name}, stream: spend in the last quarter to the first", float(spend[3] / spend[0]), "", most=1.0)
    figures.add(
        f"{row.name}, stream: loss in the last three quarters to the first",
        float(loss[1:].mean() / loss[0]),
        "",
        most=1.0,
    )


def _drift(figures: Figures, row: Row, seeds: int) -> None:
    """Loss after a drift in the middle, with and without the detector; and false alarms without a drift."""
    ways = {
        "watched": Arrivals(recorded=True),
        "not watched": Arrivals(recorded=True, watch=False),
        "a window of 300": Arrivals(recorded=True, watch=False, window=300),
        "a half-life of 150": Arrivals(recorded=True, watch=False, half_life=150),
    }
    after: dict[str, list[float]] = {way: [] for way in ways}
    alarms, late = 0, []
    for seed in range(seeds):
        pool = Pool.drawn(row, seed, MOST_STREAMED).drifted()
        middle = len(pool.gold) // 2
        for way, arrivals in ways.items():
            done = replay_stream(pool.engine, pool.votes, pool.gold, pool.machine, arrivals, seed=seed)
            after[way].append(float(done.loss[done.position >= middle].mean()))
            if way == "watched":
                late += [position - middle for position in done.alarms if position > middle][:1]
                alarms += sum(position <= middle for position in done.alarms)
    for way, losses in after.items():
        figures.add(f"{row.name}, after a drift, {way}: loss", float(np.mean(losses)), "cost")
    note = f"of {seeds} streams"
    figures.add(f"{row.name}, drift: alarms before it", alarms, "", note=note)
    figures.add(f"{row.name}, drift: streams in which it was noticed", len(late), "", note=note)
    never = [middle] * (seeds - len(late))  # as many items as came after the drift
    figures.add(f"{row.name}, drift: items until it was noticed", float(np.mean(late + never)), "")
    ratio = np.mean(after["watched"]) / np.mean(after["not watched"])
    figures.add(f"{row.name}, after a drift: loss watched to not watched", float(ratio), "", most=1.0)


def parts(values: Array, done: StreamOutcome) -> Array:
    """Means over the quarters of a stream."""
    return np.array([part.mean() for part in np.array_split(values[np.argsort(done.position)], 4)])


if __name__ == "__main__":
    run(measure, __doc__ or "")
