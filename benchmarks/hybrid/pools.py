"""Pools of real items with recorded votes, and what an engine costs on them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.harness import cpu_seconds
from quorate import Votes, datasets
from quorate.data.costs import Costs
from quorate.decision.policies.expected_loss import ExpectedLoss
from quorate.io.items import Items
from quorate.learning.features import feature_table
from quorate.replay.classifiers import IncrementalClassifier
from quorate.replay.pool import replay
from quorate.typing import Array

N_ITEMS, MAX_VOTES = 1000, 5
ERROR_COST = 50.0
WAYS = ("encoder", "words", "shuffled", "no classifier")


@dataclass(frozen=True, eq=False)
class HybridPool:
    """Items of a set with at most five recorded votes each, their true classes, and the items themselves."""

    votes: Votes
    gold: NDArray[np.int64]
    items: Items


@dataclass(frozen=True)
class PoolResult:
    """The end of one replay, per item.

    Attributes:
        votes: mean number of votes.
        accuracy: share of right labels.
        cost: votes plus 50 times the error rate.
        without_vote: share of items decided without a vote.
        wrong_without_vote: share of all items that are decided without a vote, and wrong.
        cpu: CPU seconds of the engine per 1,000 items, features aside.
    """

    votes: float
    accuracy: float
    cost: float
    without_vote: float
    wrong_without_vote: float
    cpu: float


def draw_pool(name: str, seed: int) -> HybridPool:
    """Draw 1,000 items with votes and gold of a set, or all if it has fewer, and at most five votes on each."""
    data, rng = datasets.load(name), np.random.default_rng(1000 + seed)
    assert data.votes is not None
    usable = np.flatnonzero((data.votes.votes_per_task > 0) & (data.gold >= 0))
    rows = np.sort(rng.choice(usable, min(N_ITEMS, len(usable)), replace=False))
    votes = cap_votes(data.votes.subset(tasks=rows), rng)
    return HybridPool(votes, data.gold[rows], items_of(data, rows))


def cap_votes(votes: Votes, rng: np.random.Generator) -> Votes:
    """Return at most five random votes of each task."""
    order = rng.permutation(len(votes))
    order = order[np.argsort(votes.task[order], kind="stable")]
    first = np.cumsum(votes.votes_per_task) - votes.votes_per_task
    position = np.arange(len(votes)) - first[votes.task[order]]
    return votes.subset(rows=np.sort(order[position < MAX_VOTES]))


def items_of(data: datasets.Dataset, rows: NDArray[np.int64]) -> Items:
    """Return the texts or pairs of a set or, if it has neither, its features."""
    assert data.votes is not None
    tasks = data.votes.tasks[rows]
    columns = () if data.items is None else data.items.columns
    if "text" not in columns:
        assert data.features is not None
        return Items(tasks=tasks, kind="features", x=np.nan_to_num(np.asarray(data.features, dtype=np.float64)[rows]))
    assert data.items is not None
    texts = [data.items[name].fill_null("").to_list() for name in ("text", "text2") if name in columns]
    if len(texts) == 1:
        return Items(tasks=tasks, kind="texts", x=[texts[0][row] for row in rows])
    return Items(tasks=tasks, kind="pairs", x=[(texts[0][row], texts[1][row]) for row in rows])


def features_of(pool: HybridPool, way: str, seed: int) -> Array | None:
    """Return the features of a pool in one of WAYS; None without a classifier."""
    if way == "no classifier":
        return None
    table = feature_table(pool.items, "none" if way == "words" else "auto")
    return np.random.default_rng(seed).permutation(table) if way == "shuffled" else table


def run_pool(pool: HybridPool, features: Array | None, seed: int) -> PoolResult:
    """Replay the default policy on a pool; votes cost 1, errors 50."""
    classifier = None if features is None else IncrementalClassifier(features)
    policy = ExpectedLoss(costs=Costs.of_error(ERROR_COST, pool.votes.n_classes))
    begin = cpu_seconds()
    outcome = replay(policy, pool.votes, pool.gold, classifier, seed=seed)
    cpu = cpu_seconds() - begin
    untouched = outcome.votes == 0
    return PoolResult(
        votes=float(outcome.votes.mean()),
        accuracy=float(1 - outcome.wrong.mean()),
        cost=float(outcome.loss.mean()),
        without_vote=float(untouched.mean()),
        wrong_without_vote=float((untouched & outcome.wrong).mean()),
        cpu=cpu * 1000 / len(untouched),
    )
