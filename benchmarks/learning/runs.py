"""Learners run several times on a set: chosen by validation or held-out votes, measured on the test items."""

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from typing import Any

import numpy as np

from benchmarks.learning.sets import Task
from quorate import aggregate
from quorate.learning._clone import fresh
from quorate.learning.cross_fitting import cross_score
from quorate.learning.scoring import vote_score
from quorate.metrics import accuracy, expected_calibration_error, log_loss
from quorate.protocols import Learner
from quorate.typing import Array

FAR = 1000  # from seed to seed: learners inside others count theirs up one by one


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
            if not np.isnan(getattr(self, name)).any():
                rows[name], rows[f"{name}_deviation"] = mean(getattr(self, name)), deviation(getattr(self, name))
        return rows


def mean(values: Sequence[float]) -> float:
    """Return the mean of several seeds."""
    return float(np.mean(values))


def deviation(values: Sequence[float]) -> float:
    """Return the standard deviation over seeds."""
    return float(np.std(values, ddof=1)) if len(values) > 1 else 0.0


def run(learner: Learner, task: Task, seeds: int, *, with_valid: bool = False) -> Runs:
    """Fit a learner with several seeds, and measure each on the test items.

    with_valid: the learner may stop and keep weights by the validation items.
    """
    results = in_parallel(_one_run, [(learner, task, FAR * seed, with_valid) for seed in range(seeds)])
    right, gaps, agreed, seconds, probs = (list(column) for column in zip(*results, strict=True))
    return Runs(right, gaps, agreed, mean(seconds), probs)


def _one_run(learner: Learner, task: Task, shift: int, with_valid: bool) -> tuple[float, float, float, float, Array]:
    begin = time.process_time()
    valid = task.valid if with_valid else None
    fitted = fresh(learner, shift).fit(task.x, task.votes, task.posterior, valid=valid)
    probs = fitted.predict_proba(task.test_x)
    agreed = accuracy(fitted.posterior_.probs, task.gold) if hasattr(fitted, "posterior_") else np.nan
    gap = expected_calibration_error(probs, task.test_gold)
    return accuracy(probs, task.test_gold), gap, agreed, time.process_time() - begin, probs


def choose_by_gold(candidates: dict[str, Learner], task: Task) -> tuple[str, dict[str, float]]:
    """Return the candidate with the lowest log-loss on the validation items, and the log-loss of each."""
    values = in_parallel(_loss_by_gold, [(learner, task) for learner in candidates.values()])
    losses = dict(zip(candidates, values, strict=True))
    return min(losses, key=losses.__getitem__), losses


def _loss_by_gold(learner: Learner, task: Task) -> float:
    assert task.valid is not None
    fitted = fresh(learner).fit(task.x, task.votes, task.posterior)
    return log_loss(fitted.predict_proba(task.valid.x), np.asarray(task.valid.gold))


def choose_by_votes(candidates: dict[str, Learner], task: Task) -> tuple[str, dict[str, float]]:
    """Return the candidate under which votes on held-out tasks are most likely, and the score of each."""
    values = in_parallel(
        cross_score, [(learner, task.x, task.votes, task.posterior) for learner in candidates.values()]
    )
    scores = dict(zip(candidates, values, strict=True))
    return max(scores, key=scores.__getitem__), scores


def choose_by_held_out_votes(candidates: dict[str, Any], task: Task, repeats: int = 5) -> tuple[str, dict[str, float]]:
    """Return the candidate whose consensus of 80% of the votes makes the rest most likely, and the score of each."""
    values = in_parallel(_score_by_held_out_votes, [(learner, task, repeats) for learner in candidates.values()])
    scores = dict(zip(candidates, values, strict=True))
    return max(scores, key=scores.__getitem__), scores


def _score_by_held_out_votes(learner: Any, task: Task, repeats: int) -> float:
    scores = []
    for seed in range(repeats):
        rest, held_out = task.votes.split(0.2, seed=seed)
        consensus = fresh(learner).fit(task.x, rest, aggregate(rest)).posterior_
        scores.append(vote_score(consensus.probs, held_out, consensus))
    return mean(scores)


def in_parallel(work: Callable[..., Any], jobs: list[tuple[Any, ...]]) -> list[Any]:
    """Run the work for each job, one process per processor; return the results in order."""
    futures = [_pool().submit(work, *arguments) for arguments in jobs]
    return [future.result() for future in futures]


@cache
def _pool() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn"))
