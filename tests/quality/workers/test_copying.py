"""Suspected copies: found where there are some, and not where there are none."""

import os
from pathlib import Path

import numpy as np
import pytest

from quorate import Votes, aggregate, read_votes, simulate_votes
from quorate.data.posterior import Posterior
from quorate.data.worker_models import Coin
from quorate.quality.workers import _pairs, copying
from quorate.quality.workers._pairs import Pairs
from quorate.quality.workers.copying import Copying, suspects
from quorate.registry.method_names import AggregationMethod
from tests.crowds import small_crowd, with_copy


@pytest.mark.parametrize("method", ["dawid_skene", "majority"])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_a_copy_is_found(n_classes: int, method: AggregationMethod) -> None:
    """One worker of 31 copies nine in ten votes of another; eight votes a task."""
    for seed in range(3):
        votes = with_copy(n_classes=n_classes, votes_per_task=8, seed=seed)
        suspected = suspects(votes, aggregate(votes, method))
        assert list(zip(suspected.pairs.first, suspected.pairs.second, strict=True)) == [(0, votes.n_workers - 1)]
        score = Copying().score(votes, aggregate(votes, method))
        assert set(np.argsort(score)[-2:]) == {0, votes.n_workers - 1}


@pytest.mark.parametrize("method", ["dawid_skene", "majority"])
def test_a_copy_that_the_method_believes_is_found(method: AggregationMethod) -> None:
    """With many tasks and few votes each, dawid_skene takes two workers who always agree for experts."""
    votes = with_copy(n_tasks=2000, votes_per_task=5, seed=1)
    assert suspects(votes, aggregate(votes, method)).pairs.second.tolist() == [votes.n_workers - 1]


def test_nobody_is_suspected_where_all_are_independent() -> None:
    """Spammers, adversaries and hard tasks among them."""
    for seed in range(5):
        votes = simulate_votes(n_tasks=500, votes_per_task=8, seed=seed).votes
        assert not len(suspects(votes, aggregate(votes)).z)


@pytest.mark.needs_data
@pytest.mark.parametrize(
    "name", ["bluebird", "dog", "gimpel_pos", "rte_snow", "sent_polarity", "temporal_snow", "trec"]
)
def test_real_crowds_are_not_full_of_copies(name: str) -> None:
    votes = read_votes(Path(os.environ["QUORATE_DATA"]) / name / "votes.csv.gz")
    assert len(suspects(votes, aggregate(votes)).z) <= 3


def test_pairs_with_few_tasks_in_common_are_not_compared() -> None:
    votes = Votes.from_matrix([[0, 0]] * 9 + [[1, -1]] * 5)
    assert np.isnan(Copying().score(votes, aggregate(votes))).all()


def test_in_a_small_team_nobody_is_compared() -> None:
    """Two experts and a spammer: that the two agree in all is no reason for suspicion."""
    votes = Votes.from_matrix([["no", "no", "yes"], ["yes", "yes", "yes"]] * 20)
    assert np.isnan(Copying().score(votes, aggregate(votes, "majority"))).all()


def test_confusions_that_do_not_fit_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_pairs, "MAX_ENTRIES", 10)
    votes = small_crowd(2)
    assert np.isnan(Copying().score(votes, aggregate(votes))).all()


def test_what_is_usual_may_be_learned_from_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    votes = with_copy(votes_per_task=10)
    posterior = aggregate(votes)
    whole = suspects(votes, posterior)
    monkeypatch.setattr(_pairs, "BLOCK", 100)
    monkeypatch.setattr(copying, "SAMPLE", 100)
    sampled = suspects(votes, posterior)
    assert sampled.pairs.second.tolist() == whole.pairs.second.tolist()
    assert sampled.z == pytest.approx(whole.z, rel=0.3)


def test_many_classes_none_of_which_is_likely() -> None:
    """With 300 classes and a posterior that knows nothing, every class has less than one in a hundred."""
    votes = small_crowd(2)
    votes = Votes.from_arrays(votes.task, votes.worker, votes.label, n_classes=300)
    flat = Posterior.of(votes, np.full((votes.n_tasks, 300), 1 / 300), class_prior=np.full(300, 1 / 300))
    assert np.isfinite(Copying().score(votes, flat)).all()


def test_z_of_one_pair_by_hand() -> None:
    """10 tasks, 9 agreed, half expected, no spread: root of 2 * 10 * (.9 log(.9 / .5) + .1 log(.1 / .5))."""
    pair = Pairs(np.array([0]), np.array([1]), np.array([10.0]), np.array([9.0]), np.array([5.0]))
    z = np.sqrt(20 * (0.9 * np.log(1.8) + 0.1 * np.log(0.2)))
    assert copying._z(pair, 0.0, 0.0) == pytest.approx([z])
    assert copying._z(pair, 0.0, 0.3) == pytest.approx([z / np.sqrt(1 + 10 * 0.09 / 0.25)])


def test_any_model_of_workers_will_do() -> None:
    votes = with_copy(votes_per_task=8)
    posterior = aggregate(votes, "one_coin")
    assert isinstance(posterior.worker_model, Coin)
    assert suspects(votes, posterior).pairs.second.tolist() == [votes.n_workers - 1]
