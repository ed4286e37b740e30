from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from quorate import Votes, aggregate
from quorate.data.posterior import Posterior
from quorate.errors import MethodError, VotesError
from quorate.inference.progress import watch_rounds
from quorate.learning.cross_fitting import cross_fit, split_folds
from quorate.learning.learners.linear import Linear
from quorate.typing import Array
from tests.learning.crowds import votes_of


@dataclass
class Memory:
    """A learner that returns the posterior of items it was fitted to, and a uniform distribution for others."""

    taught: dict[float, Array] = field(default_factory=dict)

    def fit(self, x: Any, votes: Votes, posterior: Posterior, **_: Any) -> "Memory":
        assert len(x) == votes.n_tasks == len(posterior.probs)
        self.taught = dict(zip(x[:, 0].tolist(), posterior.probs, strict=True))
        return self

    def predict_proba(self, x: Any) -> Array:
        return np.array([self.taught.get(value, [0.5, 0.5]) for value in x[:, 0].tolist()])


def test_no_task_is_predicted_by_a_learner_fitted_to_it() -> None:
    votes = votes_of(10)
    probs = cross_fit(Memory(), np.arange(10.0)[:, None], votes)
    assert (probs == 0.5).all()


def test_every_task_is_in_one_fold_and_voted_tasks_are_spread_evenly() -> None:
    votes = Votes.from_arrays(np.arange(20), np.zeros(20, int), np.arange(20) % 2, n_classes=2, n_tasks=33)
    folds = split_folds(votes, 5, seed=3)
    assert sorted(np.concatenate(folds)) == list(range(33))
    assert [int((fold < 20).sum()) for fold in folds] == [4] * 5


def test_tasks_without_votes_are_predicted_too() -> None:
    x = np.linspace(0, 1, 12)[:, None]
    votes = Votes.from_arrays(np.arange(10), [0] * 10, (np.arange(10) > 5).astype(int), n_classes=2, n_tasks=12)
    probs = cross_fit(Linear(), x, votes, aggregate(votes, "majority"))
    assert probs[10:, 1].min() > 0.5


def test_folds_must_fit_the_votes() -> None:
    with pytest.raises(MethodError, match="from 2 to"):
        cross_fit(Linear(), np.zeros((4, 1)), votes_of(4), folds=5)
    with pytest.raises(VotesError, match="one row per task"):
        cross_fit(Linear(), np.zeros((3, 1)), votes_of(4), folds=2)


def test_progress_counts_folds_and_not_the_rounds_inside() -> None:
    seen: list[tuple[int, int]] = []
    with watch_rounds(lambda number, most: seen.append((number, most))):
        cross_fit(Linear(), np.arange(10.0)[:, None], votes_of(10), aggregate(votes_of(10)), folds=3)
    assert seen[-3:] == [(1, 3), (2, 3), (3, 3)]
