import numpy as np
import pytest

from quorate import simulate_votes
from quorate.errors import MethodError
from quorate.simulation.crowd import KINDS, confusion


def test_the_same_seed_gives_the_same_votes() -> None:
    first, again, other = (simulate_votes(n_tasks=50, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(first.votes.label, again.votes.label)
    assert not np.array_equal(first.votes.label, other.votes.label)


def test_every_task_has_its_votes_from_different_workers() -> None:
    votes = simulate_votes(n_tasks=40, votes_per_task=6, workers={"reliable": 6}).votes
    assert np.all(votes.votes_per_task == 6)
    assert np.all(votes.votes_per_worker == 40)


def test_each_kind_has_its_accuracy() -> None:
    crowd = simulate_votes(
        n_tasks=4000, votes_per_task=5, classes=range(4), workers=dict.fromkeys(KINDS, 1), seed=2, seconds=False
    )
    votes = crowd.votes
    easy = (crowd.difficulty < 0.1)[votes.task]
    accuracy = {}
    for worker, kind in enumerate(crowd.kinds):
        own = easy & (votes.worker == worker)
        accuracy[kind] = float((votes.label[own] == crowd.gold[votes.task[own]]).mean())
    assert accuracy["expert"] > 0.9 > accuracy["reliable"] > 0.7 > accuracy["biased"] > 0.5
    assert 0.1 < accuracy["spammer"] < 0.4
    assert accuracy["adversary"] < 0.15
    assert votes.seconds is None


@pytest.mark.parametrize("kind", KINDS)
def test_matrices_are_distributions(kind: str) -> None:
    matrix = confusion(kind, 5, np.random.default_rng(0))  # type: ignore[arg-type]
    assert np.allclose(matrix.sum(axis=1), 1)
    assert np.all(matrix >= 0)


def test_spammers_are_quick_and_hard_tasks_slow() -> None:
    crowd = simulate_votes(n_tasks=2000, seed=4)
    assert crowd.votes.seconds is not None
    spam = np.array([kind == "spammer" for kind in crowd.kinds])[crowd.votes.worker]
    assert np.median(crowd.votes.seconds[spam]) < np.median(crowd.votes.seconds[~spam]) / 2
    assert np.corrcoef(crowd.difficulty[crowd.votes.task[~spam]], crowd.votes.seconds[~spam])[0, 1] > 0.1


def test_classes_follow_their_prior() -> None:
    crowd = simulate_votes(n_tasks=5000, classes=["rare", "common"], class_prior=[0.1, 0.9])
    assert abs((crowd.gold == 0).mean() - 0.1) < 0.02


def test_bad_options_are_rejected() -> None:
    with pytest.raises(MethodError, match="need at least as many workers"):
        simulate_votes(votes_per_task=3, workers={"reliable": 2})
    with pytest.raises(MethodError, match="unknown kind of worker 'genius'"):
        simulate_votes(workers={"genius": 3})  # type: ignore[dict-item]


def test_simulated_votes_are_shown_in_one_line() -> None:
    crowd = simulate_votes(n_tasks=10, votes_per_task=2, workers={"reliable": 3, "spammer": 1})
    votes = "Votes(20 votes, 10 tasks, 4 workers, 2 classes)"
    assert repr(crowd) == f"SimulatedVotes({votes} with gold; workers: 3 reliable, 1 spammer)"
