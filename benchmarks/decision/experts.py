"""Experts chosen by value, by ambiguity and at random: the same number of answers, on real votes.

python -m benchmarks.decision.experts [--quick] [--json FILE]

QUORATE_DATA names the folder of the sets. An expert costs ten votes. The engine with experts among its prices sends
them where that is the cheapest; how many it asked is what the other ways may ask, when the crowd has voted as the
engine without experts asks it to. In all ways the experts' labels teach the rest. Losses are shown; there is no target.
--quick: one seed instead of three.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # two threads on two busy processors wait for each other


from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from benchmarks.decision.rows import Pool, Row, drawn, pool, source
from benchmarks.decision.watched import Watched
from benchmarks.harness import Figures, run
from quorate import identify
from quorate.data.costs import CROWD, EXPERT, Costs, Prices
from quorate.data.votes import Votes
from quorate.decision.policies.expected_loss import ExpectedLoss
from quorate.registry.method_names import ItemScoreName
from quorate.replay.pool import replay
from quorate.typing import Array

PRICE = 10.0
SETS, ERROR_COSTS = ("labelme", "music_genre"), (100, 500)
PRICES = Prices(votes={CROWD: 1.0, EXPERT: PRICE})
VALUE, AMBIGUOUS_VALUE, NO_EXPERTS = "experts by value", "experts by value, with WAUM", "no experts"


def measure(figures: Figures, quick: bool) -> None:
    """Add the loss of every way, and how many experts were asked."""
    if not os.environ.get("QUORATE_DATA"):
        raise SystemExit("QUORATE_DATA is not set: set it to the folder of the real sets")
    for name in SETS:
        for error_cost in ERROR_COSTS:
            runs = [losses(Row(name), error_cost, seed) for seed in range(1 if quick else 3)]
            for way in runs[0]:
                loss, asked = (
                    float(np.mean([losses_by_way[way][index] for losses_by_way in runs])) for index in (0, 1)
                )
                title = f"{name}, error cost {error_cost}: loss, {way}"
                figures.add(title, loss, "", details={"experts": asked, "seeds": len(runs)})


def losses(row: Row, error_cost: int, seed: int) -> dict[str, tuple[float, float]]:
    """Loss an item and share of tasks that experts labelled, by the way in which they were chosen."""
    world, x = pool(row, seed), features(row, seed)
    costs = Costs.of_error(error_cost, world.votes.n_classes)
    by_way = {}
    for way, ambiguity in ((VALUE, None), (AMBIGUOUS_VALUE, Ambiguity(x))):
        outcome = replay(
            Watched(policy=ExpectedLoss(costs=costs, prices=PRICES), ambiguity=ambiguity),
            world.votes,
            world.gold,
            world.machine,
            seed=seed,
        )
        by_way[way] = float(outcome.loss.mean()), float(outcome.asked_expert.mean())
    n_experts = round(by_way[VALUE][1] * world.votes.n_tasks)
    crowd = Watched(policy=ExpectedLoss(costs=costs))
    outcome = replay(crowd, world.votes, world.gold, world.machine, seed=seed)
    by_way[NO_EXPERTS] = float(outcome.loss.mean()), 0.0
    for way, choose in CHOOSERS.items():
        rows = choose(crowd, x, seed)[:n_experts]
        by_way[way] = after(crowd, world, rows) + float(outcome.votes.mean()), n_experts / world.votes.n_tasks
    return by_way


def after(crowd: Watched, world: Pool, rows: NDArray[np.int64]) -> float:
    """Return the cost of experts and errors per item if experts label these tasks and the model learns from them."""
    state = crowd.state
    expert_labels = np.full(len(world.gold), -1)
    expert_labels[rows] = world.gold[rows]
    model = crowd.fit(state.votes, state.machines, expert_labels, state.model)
    label = crowd.costs.cheapest(model.posterior(state.votes, state.machines, expert_labels))[0]
    label = np.where(expert_labels >= 0, expert_labels, label)
    return float(crowd.costs.of_errors(world.gold, label).mean() + PRICE * len(rows) / len(label))


def features(row: Row, seed: int) -> Array:
    """Return the features of the items of a pool."""
    whole = source(row)
    assert whole.features is not None
    chosen = drawn(row, seed)
    assert chosen is not None
    return whole.features[chosen.items]


def by_score(name: ItemScoreName) -> Callable[[Watched, Array, int], NDArray[np.int64]]:
    """Return a chooser of the most ambiguous tasks first; those without votes come last."""

    def choose(crowd: Watched, x: Array, seed: int) -> NDArray[np.int64]:
        return np.argsort(-ranks(crowd.state.votes, x, name), kind="stable")

    return choose


def by_cost(crowd: Watched, x: Array, seed: int) -> NDArray[np.int64]:
    """Return the tasks by the expected cost of their label, highest first."""
    return np.argsort(-crowd.decisions.expected_cost, kind="stable")


def at_random(crowd: Watched, x: Array, seed: int) -> NDArray[np.int64]:
    """Return the tasks in random order."""
    return np.random.default_rng(seed).permutation(len(x))


CHOOSERS: dict[str, Callable[[Watched, Array, int], NDArray[np.int64]]] = {
    "experts by WAUM, at the end": by_score("waum"),
    "experts by disagreement, at the end": by_score("disagreement"),
    "experts by vote entropy, at the end": by_score("vote_entropy"),
    "experts by expected cost, at the end": by_cost,
    "experts at random": at_random,
}


def ranks(votes: Votes, x: Array, name: ItemScoreName) -> Array:
    """Return ranks of ambiguity from 0, the clearest, to 1; tasks without a score get 0.5."""
    values = identify(votes, name, x=x).ambiguity if name != "vote_entropy" else identify(votes, name).ambiguity
    ranked = np.full(len(values), 0.5)
    tasks = np.flatnonzero(~np.isnan(values) & (votes.votes_per_task > 0))
    ranked[tasks] = (rankdata(values[tasks]) - 1) / max(len(tasks) - 1, 1)
    return ranked


@dataclass
class Ambiguity:
    """Ranks by WAUM, computed again when the number of votes has grown by a factor of 1.5."""

    x: Array
    n_votes: int = 0
    ranked: Array = field(default_factory=lambda: np.zeros(0))

    def __call__(self, votes: Votes) -> Array:
        if len(votes) >= 1.5 * self.n_votes:
            self.n_votes, self.ranked = len(votes), ranks(votes, self.x, "waum")
        return self.ranked


if __name__ == "__main__":
    run(measure, "Experts by value, by ambiguity and at random")
