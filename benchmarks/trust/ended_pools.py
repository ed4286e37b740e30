"""Pools at the end of a replay: what the engine believed, what was wrong, and what a majority would have got wrong."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.decision.cache import fingerprint, folder, kept
from benchmarks.decision.resampled import resampled
from benchmarks.decision.rows import Row
from benchmarks.decision.watched import Watched
from quorate.data.costs import Costs
from quorate.data.votes import Votes
from quorate.decision.base import TAUGHT
from quorate.decision.belief import Belief, DeceptionModel
from quorate.decision.majority_error import majority_error
from quorate.decision.policies.expected_loss import ExpectedLoss
from quorate.decision.stated_error import DISCOUNT, Discount, discounted_errors, expected_majority_error
from quorate.replay.pool import replay
from quorate.typing import Array, Gold

N_ITEMS, ERROR_COSTS = 250, (5, 20, 100, 500)
MAJORITIES = (3, 5)
ENOUGH = 0.3  # share of tasks that must have enough votes for the error of a majority to be measured


@dataclass(frozen=True, eq=False, kw_only=True)
class EndedPool:
    """The end of a replay without gold. All arrays but those of the belief have one row per task.

    probs, label, wrong, n_votes: what the engine believes and accepts, whether that is wrong, and the votes it bought.
    taught: whether there is a classifier that was trained on the votes. share, answers, deceptive: the belief about
    levels of difficulty and classes, about the answers of voters, and the share of deceptive tasks. majorities: the
    true error of the majority of each of MAJORITIES; NaN where too few tasks have as many votes.
    """

    probs: Array
    label: NDArray[np.int64]
    wrong: NDArray[np.bool_]
    n_votes: NDArray[np.int64]
    taught: NDArray[np.bool_]
    share: Array
    answers: Array
    deceptive: Array
    majorities: Array

    @property
    def error(self) -> float:
        """The true error."""
        return float(self.wrong.mean())

    @property
    def believed(self) -> float:
        """The error that is believed, with no discount."""
        return float(1 - self.probs[np.arange(len(self.label)), self.label].mean())

    def stated(self, discount: Discount = DISCOUNT) -> float:
        """The error that is stated."""
        taught = bool(self.taught)
        return float(discounted_errors(self.probs, self.label, self.n_votes, taught=taught, discount=discount).mean())

    def stated_majority(self, n_votes: int) -> float:
        """The error that is stated of the majority of as many votes."""
        return expected_majority_error(self._belief, n_votes)

    def believed_majority(self, n_votes: int) -> float:
        """The error of the majority that is believed, with no discount."""
        return majority_error(self._belief, n_votes)

    @property
    def _belief(self) -> Belief:
        deception = DeceptionModel(self.share.sum(axis=0)[None], float(self.deceptive), np.zeros((0, 0)))
        return Belief(self.share[None], self.answers, 1.0, deception)


def ended(row: Row, seed: int) -> EndedPool:
    """The end of one replay of a row; seeds take turns at the error costs. It is kept on disk."""
    found = kept(_path(row, seed), lambda: _replayed(row, seed))
    return EndedPool(**{field.name: found[field.name] for field in fields(EndedPool)})


def cost_of(seed: int) -> int:
    """The cost of an error in the replays of a seed."""
    return ERROR_COSTS[seed % len(ERROR_COSTS)]


def _path(row: Row, seed: int) -> Path:
    """Where the end of a replay is kept: one whose code or settings differ has another name."""
    modules = ("quorate.replay.pool", "quorate.decision.policies.expected_loss", "quorate.decision.fusion.auto")
    code = fingerprint((*modules, "benchmarks.decision.resampled"), N_ITEMS, ERROR_COSTS, ENOUGH, MAJORITIES)
    return folder() / "ended" / f"{row.name.replace(':', '-')}-{seed}-{code}.npz"


def _replayed(row: Row, seed: int) -> dict[str, NDArray[Any]]:
    pool = resampled(row, N_ITEMS, seed)
    watched = Watched(policy=ExpectedLoss(costs=Costs.of_error(cost_of(seed), pool.votes.n_classes)))
    outcome = replay(watched, pool.votes, pool.gold, pool.machine, seed=seed)
    state = watched.state
    belief = state.model.belief(state.votes, state.machines)
    return {
        "probs": watched.decisions.probs,
        "label": outcome.label,
        "wrong": outcome.wrong,
        "n_votes": state.votes.votes_per_task,
        "taught": np.array(TAUGHT in state.machines),
        "share": belief.joint.mean(axis=0),
        "answers": belief.answers,
        "deceptive": np.array(0.0 if belief.deception is None else belief.deception.share),
        "majorities": np.array([error_of_majority(pool.votes, pool.gold, n, seed) for n in MAJORITIES]),
    }


def error_of_majority(votes: Votes, gold: Gold, n_votes: int, seed: int) -> float:
    """Return the error of the majority of `n_votes` random votes on tasks that have them; ties break at random."""
    enough = votes.votes_per_task >= n_votes
    if enough.mean() < ENOUGH:
        return np.nan
    rng = np.random.default_rng(600 + seed)
    order = rng.permutation(len(votes))
    order = order[np.argsort(votes.task[order], kind="stable")]
    task = votes.task[order]
    first = np.arange(len(task)) - np.searchsorted(task, task) < n_votes
    counts = rng.random((votes.n_tasks, votes.n_classes)) / 2
    np.add.at(counts, (task[first], votes.label[order][first]), 1)
    return float((counts.argmax(axis=1) != gold)[enough].mean())
