"""Who votes where there are many workers, and what they are made from."""

import numpy as np
import pytest
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.svm import SVC, LinearSVC

from quorate.simulation.worker_pool import KINDS, many_workers
from tests.simulation.simulated import made


@pytest.mark.long
def test_up_to_five_of_many_workers_vote() -> None:
    items = made(many_workers, 0)
    votes = items.votes
    assert (len(items.x), len(items.test_x), votes.n_workers, votes.n_classes) == (700, 300, 150, 4)
    assert np.bincount(np.concatenate([items.gold, items.test_gold])).tolist() == [250] * 4
    assert np.all(np.bincount(votes.votes_per_task, minlength=6)[1:] > 100)
    assert votes.votes_per_task.min() == 1
    assert votes.votes_per_task.max() == 5
    kinds = {kind: sum(name.startswith(kind) for name in votes.workers.tolist()) for kind in KINDS}
    assert sum(kinds.values()) == 150
    assert min(kinds.values()) > 30


def test_hyperparameters_are_drawn_from_the_sets_of_the_paper() -> None:
    draws = np.random.default_rng(0)
    linear, kernels, trees = ([KINDS[kind](draws) for _ in range(200)] for kind in ("linear_svc", "svc", "gbm"))
    assert {type(one) for one in linear} == {LinearSVC}
    assert {type(one) for one in kernels} == {SVC}
    assert {type(one) for one in trees} == {GradientBoostingClassifier}
    assert sorted({one.C for one in linear}) == pytest.approx(np.linspace(0.001, 3, 20).tolist())
    assert {one.loss for one in linear} == {"hinge", "squared_hinge"}
    assert {one.kernel for one in kernels} == {"poly", "rbf", "sigmoid"}
    assert {one.degree for one in kernels} == {3}
    for some in (linear, kernels):
        assert min(one.max_iter for one in some) in range(1, 4)
        assert max(one.max_iter for one in some) in range(98, 101)
    assert {one.learning_rate for one in trees} == {0.01, 0.1, 0.5}
    assert {one.n_estimators for one in trees} == {1, 2, 5, 10, 15, 20, 30, 50, 100}
    assert len({one.random_state for one in trees}) == 200
