"""The pool of many workers: who votes, and the hyperparameters of the classifiers."""

import numpy as np
import pytest
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.svm import SVC, LinearSVC

from quorate.simulation.worker_pool import KINDS, many_workers
from tests.simulation.simulated import simulate_once


@pytest.mark.long
def test_up_to_five_of_many_workers_vote() -> None:
    items = simulate_once(many_workers, 0)
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
    rng = np.random.default_rng(0)
    linear, kernels, trees = ([KINDS[kind](rng) for _ in range(200)] for kind in ("linear_svc", "svc", "gbm"))
    assert {type(worker) for worker in linear} == {LinearSVC}
    assert {type(worker) for worker in kernels} == {SVC}
    assert {type(worker) for worker in trees} == {GradientBoostingClassifier}
    assert sorted({worker.C for worker in linear}) == pytest.approx(np.linspace(0.001, 3, 20).tolist())
    assert {worker.loss for worker in linear} == {"hinge", "squared_hinge"}
    assert {worker.kernel for worker in kernels} == {"poly", "rbf", "sigmoid"}
    assert {worker.degree for worker in kernels} == {3}
    for workers in (linear, kernels):
        assert min(worker.max_iter for worker in workers) in range(1, 4)
        assert max(worker.max_iter for worker in workers) in range(98, 101)
    assert {worker.learning_rate for worker in trees} == {0.01, 0.1, 0.5}
    assert {worker.n_estimators for worker in trees} == {1, 2, 5, 10, 15, 20, 30, 50, 100}
    assert len({worker.random_state for worker in trees}) == 200
