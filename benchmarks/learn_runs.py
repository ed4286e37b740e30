"""Learners run several times on a set: chosen by validation or held-out votes, measured on the test items."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.learn_sets import Task
from quorate.calibration.metrics import accuracy, expected_calibration_error, log_loss
from quorate.learning._fresh import fresh
from quorate.learning.cross_fit import cross_score
from quorate.protocols import Learner
from quorate.results import Array


@dataclass(frozen=True)
class Runs:
    """Figures of several seeds; consensus is NaN where a learner has none of its own."""

    accuracy: list[float]
    ece: list[float]
    consensus: list[float]
    seconds: float
    probs: list[Array]

    def details(self) -> dict[str, float]:
        """Means, deviations and the time of one seed, for the tables of the documentation."""
        rows: dict[str, float] = {"seconds": self.seconds}
        for name in ("accuracy", "ece", "consensus"):
            rows[name], rows[f"{name}_deviation"] = mean(getattr(self, name)), deviation(getattr(self, name))
        return rows


def mean(values: Sequence[float]) -> float:
    """The mean of several seeds."""
    return float(np.mean(values))


def deviation(values: Sequence[float]) -> float:
    """The deviation from seed to seed."""
    return float(np.std(values, ddof=1)) if len(values) > 1 else 0.0


def run(learner: Learner, task: Task, seeds: int, *, with_valid: bool = False) -> Runs:
    """Fit a learner with several seeds, and measure each on the test items.

    with_valid: the learner may stop and keep weights by the validation items.
    """
    begin = time.perf_counter()
    right, gaps, agreed, said = [], [], [], []
    for seed in range(seeds):
        fitted = fresh(learner, seed).fit(task.x, task.votes, task.posterior, valid=task.valid if with_valid else None)
        probs = fitted.predict_proba(task.test_x)
        right.append(accuracy(probs, task.test_gold))
        gaps.append(expected_calibration_error(probs, task.test_gold))
        agreed.append(accuracy(fitted.posterior_.probs, task.gold) if hasattr(fitted, "posterior_") else np.nan)
        said.append(probs)
    return Runs(right, gaps, agreed, (time.perf_counter() - begin) / seeds, said)


def choose_by_gold(candidates: dict[str, Learner], task: Task) -> tuple[str, dict[str, float]]:
    """The candidate with the least log-loss on the validation items, and the log-loss of each."""
    assert task.valid is not None
    gold = np.asarray(task.valid.gold)
    losses = {
        name: log_loss(fresh(one).fit(task.x, task.votes, task.posterior).predict_proba(task.valid.x), gold)
        for name, one in candidates.items()
    }
    return min(losses, key=losses.__getitem__), losses


def choose_by_votes(candidates: dict[str, Learner], task: Task) -> tuple[str, dict[str, float]]:
    """The candidate by which votes of tasks that it was not taught are most likely; and how likely by each."""
    scores = {name: cross_score(one, task.x, task.votes, task.posterior) for name, one in candidates.items()}
    return max(scores, key=scores.__getitem__), scores
