import numpy as np
import pytest

from quorate.errors import MethodError
from quorate.simulation import simulate_ratings
from quorate.simulation.ratings import different_workers


def test_the_same_seed_gives_the_same_votes() -> None:
    first, again, other = (simulate_ratings(n_tasks=50, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(first.votes.label, again.votes.label)
    assert not np.array_equal(first.votes.label, other.votes.label)


def test_every_task_has_its_votes_and_workers_have_few() -> None:
    votes = simulate_ratings(n_tasks=1000, votes_per_task=5, n_points=7).votes
    assert votes.classes.tolist() == [1, 2, 3, 4, 5, 6, 7]
    assert np.all(votes.votes_per_task == 5)
    low, high = np.quantile(votes.votes_per_worker, [0.05, 0.95])
    assert 5 <= low < 15
    assert 35 < high <= 60


def test_votes_are_as_biased_and_as_spread_as_their_workers() -> None:
    ratings = simulate_ratings(n_tasks=4000, votes_per_task=5, n_points=9, seed=1)
    votes = ratings.votes
    inner = np.isin(ratings.gold, [3, 4, 5])[votes.task]  # where the ends of the scale do not cut the noise
    error = (votes.label - ratings.gold[votes.task]).astype(float)
    n_inner = np.bincount(votes.worker[inner], minlength=votes.n_workers)
    honest = np.flatnonzero(~ratings.spammer & (n_inner >= 15))
    mean, deviation = np.array(
        [[error[inner & (votes.worker == w)].mean(), error[inner & (votes.worker == w)].std()] for w in honest]
    ).T
    assert np.corrcoef(mean, ratings.bias[honest])[0, 1] > 0.8
    assert np.corrcoef(deviation, ratings.spread[honest])[0, 1] > 0.8
    assert abs(ratings.spammer.mean() - 0.12) < 0.04


def test_spammers_vote_independently_of_the_class() -> None:
    ratings = simulate_ratings(n_tasks=4000, seed=2)
    votes = ratings.votes
    correlation = {
        spammer: np.corrcoef(votes.label[rows], ratings.gold[votes.task[rows]])[0, 1]
        for spammer in (False, True)
        for rows in [ratings.spammer[votes.worker] == spammer]
    }
    assert abs(correlation[True]) < 0.1
    assert correlation[False] > 0.5


def test_active_workers_are_drawn_more_often() -> None:
    drawn = different_workers(20_000, np.array([1.0, 1.0, 2.0]), 1, np.random.default_rng(0))
    assert np.allclose(np.bincount(drawn.ravel()) / 20_000, [0.25, 0.25, 0.5], atol=0.02)
    together = different_workers(50, np.array([1.0, 1.0, 2.0]), 3, np.random.default_rng(0))
    assert np.all(np.sort(together, axis=1) == [0, 1, 2])


def test_shows_what_it_holds() -> None:
    assert repr(simulate_ratings(n_tasks=100, votes_per_task=3, seed=1)).startswith("SimulatedRatings(Votes(300 votes")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_points": 1}, "n_points must be at least 2, got 1"),
        ({"n_tasks": 0}, "n_tasks must be at least 1"),
        ({"votes_per_task": 0}, "votes_per_task must be at least 1"),
        ({"seed": -1}, "seed must be zero or more"),
        ({"n_tasks": 10_000_000}, "at most 10,000,000 ratings"),
    ],
)
def test_refuses_what_cannot_be_simulated(options: dict[str, int], message: str) -> None:
    with pytest.raises(MethodError, match=message):
        simulate_ratings(**options)
