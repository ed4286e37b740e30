"""The threshold that was cheapest on gold, worked out by hand."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from benchmarks.decision.tuned_stop import TunedStop, prefixes
from quorate import Votes
from quorate.data.costs import Costs
from quorate.decision.belief import Belief
from quorate.typing import Array


@dataclass(frozen=True)
class Shares:
    """Believes the share of votes, one vote for each class added: a fusion and its own fit."""

    class_prior = np.array([0.5, 0.5])

    def fit(self, *_: Any) -> "Shares":
        return self

    def posterior(self, votes: Votes, *_: Any) -> Array:
        counts = votes.counts() + 1
        return counts / counts.sum(axis=1, keepdims=True)

    def belief(self, votes: Votes, *_: Any) -> Belief:
        return Belief.plain(self.posterior(votes), np.eye(2))


def test_prefixes_are_the_first_votes_of_each_task() -> None:
    votes = Votes.from_arrays([1, 0, 1, 0, 1], [0, 0, 1, 1, 2], [0, 1, 1, 1, 0], n_classes=2)
    assert [prefix.counts().tolist() for prefix in prefixes(votes)] == [
        [[0, 0], [0, 0]],
        [[0, 1], [1, 0]],
        [[0, 2], [1, 1]],
        [[0, 2], [2, 1]],
    ]


@pytest.mark.parametrize(("error", "expected"), [(0.1, 0.0), (4.0, 0.6), (100.0, 0.7)])
def test_the_dearer_an_error_the_surer_it_must_be(error: float, expected: float) -> None:
    """Two tasks of class 1 are voted 1 1, one votes 0 1 1: one vote makes it 2/3 sure, two that agree 3/4.

    Where an error costs .1, no vote pays: t = 0. At 4, one vote each (one of three is wrong): 1 + 4/3 < 0 + 4 at no
    vote. At 100, two votes for two tasks and all three of the third, which never gets to 3/4, but is right.
    """
    votes = Votes.from_matrix([[1, 1, -1], [1, 1, -1], [0, 1, 1]])
    fitted = TunedStop(costs=Costs.of_error(error, 2), fusion=Shares()).fit(votes, {}, np.ones(3, dtype=np.int64))
    assert fitted.t == expected


def test_without_gold_it_is_the_usual_one() -> None:
    votes = Votes.from_matrix([[1, 0]])
    assert TunedStop(costs=Costs.of_error(5, 2), fusion=Shares()).fit(votes, {}, np.array([-1])).t == 0.95
