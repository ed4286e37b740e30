"""Replays of several policies over several seeds, in one process or in several."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from quorate.data.votes import Votes
from quorate.decision.base import Policy
from quorate.errors import QuorateError
from quorate.parallel import one_blas_thread, run_jobs
from quorate.replay.budget import BudgetOutcome
from quorate.replay.classifiers import Classifier, FixedClassifier, IncrementalClassifier
from quorate.replay.results import FIGURES, QUARTERS
from quorate.replay.session import Outcome
from quorate.replay.setups import Recording, Setups
from quorate.replay.stream import StreamOutcome
from quorate.typing import Array, Gold


@dataclass(frozen=True, eq=False, kw_only=True)
class Pool:
    """Recorded votes that policies are replayed on; a copy is sent to every process.

    Args:
        votes: the recorded votes.
        gold: the true class of every task.
        probs: predictions of a fixed classifier, (n_tasks, n_classes), or None.
        x: features of the tasks for a classifier that learns, (n_tasks, n_features), or None.
        most_tasks: number of tasks that a seed draws.
        n_known_gold: number of tasks whose gold label the policy has from the start.
        recorded_order: show the votes of a task in their recorded order.
        setups: without a budget, with budgets, or as a stream.
    """

    votes: Votes
    gold: Gold
    probs: Array | None
    x: Array | None
    most_tasks: int
    n_known_gold: int
    recorded_order: bool
    setups: Setups

    def run(self, policy: Policy, seed: int) -> tuple[Array, str]:
        """Replay a policy on the tasks of a seed, and return its figures per task and "", or NaN and the error.

        Shape of the figures: (n_setups, number of FIGURES and QUARTERS).
        """
        rng = np.random.default_rng(seed)
        n_tasks = self.votes.n_tasks
        rows = np.sort(rng.choice(n_tasks, min(self.most_tasks, n_tasks), replace=False))
        gold = self.gold[rows]
        known_gold = np.full(len(rows), -1)
        drawn = rng.choice(len(rows), min(self.n_known_gold, len(rows)), replace=False)
        known_gold[drawn] = gold[drawn]
        try:
            with one_blas_thread():
                votes, classifier = self.votes.subset(tasks=rows), self._classifier(rows, seed)
                recording = Recording(votes, gold, classifier, known_gold, seed, self.recorded_order)
                return np.array([_figures(outcome) for outcome in self.setups.run(policy, recording)]), ""
        except QuorateError as error:
            return np.full(len(FIGURES) + len(QUARTERS), np.nan), str(error)

    def _classifier(self, rows: NDArray[np.int64], seed: int) -> Classifier | None:
        if self.x is not None:
            return IncrementalClassifier(self.x[rows], seed=seed)
        return None if self.probs is None else FixedClassifier(self.probs[rows])


def _figures(outcome: Outcome) -> list[float]:
    decided = outcome.decided if isinstance(outcome, BudgetOutcome) else np.ones(len(outcome.loss))
    columns = (outcome.loss, outcome.votes, outcome.asked_expert, outcome.wrong, outcome.spent, decided)
    quarters = outcome.by_part(len(QUARTERS)) if isinstance(outcome, StreamOutcome) else np.full(len(QUARTERS), np.nan)
    return [float(column.mean()) for column in (*columns, outcome.stated_error)] + quarters.tolist()


def run_replays(
    pool: Pool, policies: list[Policy], seeds: int, processes: int
) -> Iterator[tuple[int, int, Array, str]]:
    """Yield (index of the policy, seed, figures, error message) of every replay, as they finish."""
    jobs = [(index, policy, seed) for seed in range(seeds) for index, policy in enumerate(policies)]
    for (index, _, seed), result in run_jobs(_run, jobs, pool, processes):
        yield index, seed, *result


def _run(pool: Pool, job: tuple[int, Policy, int]) -> tuple[Array, str]:
    _, policy, seed = job
    return pool.run(policy, seed)
