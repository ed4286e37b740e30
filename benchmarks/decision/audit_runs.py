"""Replays of the engine with a number of expert labels bought at the start, and the state before; kept on disk."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.decision import cache
from benchmarks.decision.resampled import resampled
from benchmarks.decision.rows import Pool, Row
from benchmarks.decision.watched import Watched
from quorate.data.costs import CROWD, EXPERT, Costs, Prices
from quorate.data.votes import Votes
from quorate.decision.policies.expected_loss import ExpectedLoss
from quorate.replay.pool import replay
from quorate.typing import Gold

MODULES = ("quorate.replay.pool", "quorate.decision.policies.expected_loss", "benchmarks.decision.resampled")
PRICE = 10.0  # of an expert's label, in votes


@dataclass(frozen=True)
class Case:
    """A pool of a size, drawn from a set, and what an error costs in it.

    by_value: the engine may also put single tasks to an expert, where that is the cheapest.
    """

    row: Row
    n_items: int
    seed: int
    error_cost: int
    by_value: bool = field(default=False, repr=False)

    @property
    def batch(self) -> float:
        """Share of asking tasks of a round: larger where the pool is large, to be done in time."""
        return 0.2 if self.n_items <= 1000 else 1.0


@dataclass(frozen=True)
class Ended:
    """A replay: what was spent, and errors, an item. Items that were audited count among them, as without error."""

    spent: float
    wrong: float


@dataclass(frozen=True, eq=False)
class Begun:
    """What the engine believes after the warm-up, without any gold.

    votes: bought so far, an item. expected_cost: of its labels as they stand, and value: what asking on is believed to
    save, both an item. doubt: of the tasks in the order of the audit, how likely each label is wrong. wrong: if it is.
    """

    votes: float
    expected_cost: float
    value: float
    doubt: NDArray[np.float64]
    wrong: NDArray[np.bool_]


def ended(case: Case, n_gold: int) -> Ended:
    """Return the whole replay with this number of expert labels from the start; their price is not included."""

    def make() -> dict[str, NDArray[Any]]:
        pool = resampled(case.row, case.n_items, case.seed)
        known = audited(pool, case.seed, n_gold)
        outcome = replay(
            policy_of(case, pool),
            pool.votes,
            pool.gold,
            pool.machine,
            known_gold=known,
            seed=case.seed,
            batch=case.batch,
        )
        return {"votes": np.array(outcome.spent.mean()), "wrong": np.array(outcome.wrong.mean())}

    found = cache.kept(_path(case, f"gold{n_gold}"), make)
    return Ended(float(found["votes"]), float(found["wrong"]))


def begun(case: Case, first: int = 200) -> Begun:
    """Return the start of the same replay: its warm-up is on the tasks that are audited first."""

    def make() -> dict[str, NDArray[Any]]:
        pool = resampled(case.row, case.n_items, case.seed)
        watched = Watched(policy=policy_of(case, pool), only_warm_up=True)
        outcome = replay(watched, pool.votes, pool.gold, pool.machine, seed=case.seed, batch=case.batch)
        last = watched.decisions
        order = audit_order(pool.votes, case.seed)[:first]
        return {
            "votes": np.array(outcome.votes.mean()),
            "expected_cost": np.array(last.expected_cost.mean()),
            "value": np.array(np.maximum(last.value, 0).mean()),
            "doubt": 1 - last.probs.max(axis=1)[order],
            "wrong": outcome.wrong[order],
        }

    found = cache.kept(_path(case, "begun"), make)
    numbers = {name: float(found[name]) for name in ("votes", "expected_cost", "value")}
    return Begun(**numbers, doubt=found["doubt"], wrong=found["wrong"])


def policy_of(case: Case, pool: Pool) -> ExpectedLoss:
    """Return the engine; only the crowd votes, or experts too."""
    prices = Prices(votes={CROWD: 1.0, EXPERT: PRICE}) if case.by_value else Prices()
    return ExpectedLoss(costs=Costs.of_error(case.error_cost, pool.votes.n_classes), prices=prices)


def audit_order(votes: Votes, seed: int) -> NDArray[np.int64]:
    """Return the random order of the warm-up of this seed: audits in this order are on tasks with votes."""
    rng = np.random.default_rng(seed)
    rng.permutation(len(votes))
    return rng.permutation(votes.n_tasks)


def audited(pool: Pool, seed: int, n_gold: int) -> Gold:
    """Return the expert labels of the first `n_gold` tasks; -1 = not asked."""
    known = np.full(pool.votes.n_tasks, -1)
    rows = audit_order(pool.votes, seed)[:n_gold]
    known[rows] = pool.gold[rows]
    return known


def _path(case: Case, what: str) -> Path:
    code = cache.fingerprint(MODULES, case)
    name = f"{case.n_items}-{case.error_cost}-{case.seed}-{'by-value-' * case.by_value}{what}-{code}.npz"
    return cache.folder() / "audit" / case.row.name.replace(":", "-") / name
