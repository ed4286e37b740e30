import numpy as np
import pytest

from quorate import Votes, simulate_votes
from quorate.aggregation import DawidSkene, Difficulty
from quorate.errors import MethodError


def test_one_level_without_difficulty_is_close_to_dawid_skene() -> None:
    votes = simulate_votes(n_tasks=400, votes_per_task=5, seed=0).votes
    plain, levelled = DawidSkene().aggregate(votes), Difficulty(levels=(1.0,)).aggregate(votes)
    assert np.mean(plain.labels == levelled.labels) > 0.97


def test_votes_on_hard_tasks_count_less() -> None:
    """A third of the tasks are hard: everybody guesses. A 4 : 1 vote says less than if all tasks were alike."""
    rng = np.random.default_rng(1)
    gold = rng.integers(0, 2, 600)
    accuracy = np.where(np.arange(600) < 200, 0.5, 0.97)
    labels = np.where(rng.random((600, 5)) < accuracy[:, None], gold[:, None], 1 - gold[:, None])
    votes = Votes.from_matrix(labels)
    split = (votes.counts().max(axis=1) == 4) & (np.arange(600) < 200)
    doubt = [1 - method.aggregate(votes).confidence[split].mean() for method in (Difficulty(), DawidSkene())]
    assert doubt[0] > 3 * doubt[1]


def test_it_reports_the_change_of_every_round() -> None:
    votes = simulate_votes(n_tasks=200, votes_per_task=4, seed=0).votes
    changes = Difficulty(max_rounds=7).aggregate(votes).objective
    assert len(changes) == 7
    assert changes[-1] < changes[0]


@pytest.mark.parametrize("levels", [(), (0.0, 1.0), (1.0, float("nan"))])
def test_levels_are_numbers_above_zero(levels: tuple[float, ...]) -> None:
    with pytest.raises(MethodError, match="levels must be one or more numbers above zero"):
        Difficulty(levels=levels)
