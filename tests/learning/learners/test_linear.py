"""Softmax regression against scikit-learn, and against a slow search."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression

from quorate import Votes, aggregate
from quorate.data.posterior import Posterior
from quorate.errors import MethodError
from quorate.learning._scaling import scaled
from quorate.learning.learners.linear import Linear
from quorate.learning.targets.base import Targets
from quorate.learning.targets.hard import Hard
from quorate.learning.targets.soft import Soft
from quorate.learning.targets.soft_hard import SoftHard
from quorate.protocols import Valid
from quorate.typing import Array
from tests.learning.tiny import tiny


@pytest.mark.parametrize("target", [Hard(), SoftHard()], ids=str)
def test_equals_scikit_learn(target: Any) -> None:
    """C = 1 / (l2 n), since ours is a mean and theirs a sum; scikit-learn too leaves the intercept free."""
    x, votes, posterior = tiny(method="naive_soft")
    targets = target.make(votes, posterior)
    theirs = LogisticRegression(C=1 / (0.05 * len(targets.task)), tol=1e-8, max_iter=2000)
    theirs.fit(x[targets.task], targets.probs.argmax(axis=1), sample_weight=targets.weight)
    ours = Linear(target=target, l2=0.05, scale="none", tol=1e-8, max_rounds=2000).fit(x, votes, posterior)
    assert ours.predict_proba(x) == pytest.approx(theirs.predict_proba(x), abs=1e-4)


@dataclass(frozen=True)
class WeightedSoft:
    """Soft targets of unlike weights."""

    def make(self, votes: Votes, posterior: Posterior) -> Targets:
        soft = Soft().make(votes, posterior)
        return replace(soft, weight=np.linspace(0.2, 3, len(soft.task)))


def test_equals_a_slow_search() -> None:
    """Compare with a minimiser of the objective, written example by example and without a gradient."""
    x, votes, posterior = tiny(2, n_tasks=14, method="naive_soft")
    x = x[:, :2]
    targets = WeightedSoft().make(votes, posterior)

    def objective(flat: Array) -> float:
        weights, total = flat.reshape(3, 2), 0.0
        for task, target, weight in zip(targets.task, targets.probs, targets.weight, strict=True):
            scores = x[task] @ weights[:2] + weights[2]
            total -= weight * (target * (scores - np.logaddexp.reduce(scores))).sum()
        return float(total / len(targets.task) + 0.5 * 0.1 * np.square(weights[:2]).sum())

    slow = minimize(objective, np.zeros(6), method="BFGS", options={"gtol": 1e-6}).x.reshape(3, 2)
    ours = Linear(target=WeightedSoft(), l2=0.1, scale="none", tol=1e-8).fit(x, votes, posterior)
    assert objective(ours.weights_.ravel()) == pytest.approx(objective(slow.ravel()), abs=1e-6)
    assert ours.weights_[:2] == pytest.approx(slow[:2], abs=1e-3)


def test_the_trace_is_recorded_and_ends_in_the_prediction() -> None:
    x, votes, posterior = tiny()
    seen: list[Array] = []
    rounds: list[int] = []

    def on_epoch(number: int, probs: Array) -> None:
        rounds.append(number)
        seen.append(probs.copy())

    fitted = Linear().fit(x, votes, posterior, on_epoch=on_epoch)
    assert rounds == list(range(len(seen)))
    assert len(seen) > 3
    assert seen[-1] == pytest.approx(fitted.predict_proba(x))
    assert not np.allclose(seen[0], seen[-1], atol=0.01)
    assert all(np.allclose(probs.sum(axis=1), 1) for probs in seen)


def test_one_round_is_reported_if_the_start_is_optimal() -> None:
    """Fit tasks with split votes: zero weights are optimal."""
    votes, seen = Votes.from_counts([[1, 1]] * 6), list[Array]()
    x = np.random.default_rng(0).normal(size=(6, 2))
    Linear().fit(x, votes, aggregate(votes, "naive_soft"), on_epoch=lambda _, probs: seen.append(probs.copy()))
    assert len(seen) == 1
    assert seen[0] == pytest.approx(np.full((6, 2), 0.5))


def test_validation_keeps_the_best_iteration() -> None:
    """Gold that contradicts the votes: the first iteration is the least bad."""
    x, votes, posterior = tiny()
    wrong = Valid(x=x, gold=(np.arange(30) + 1) % 3)
    first: list[Array] = []
    fitted = Linear().fit(x, votes, posterior, valid=wrong, on_epoch=lambda n, probs: first.append(probs.copy()))
    assert fitted.predict_proba(x) == pytest.approx(first[0])
    assert len(first) > 3
    right = Linear().fit(x, votes, posterior, valid=Valid(x=x, votes=votes))
    assert np.mean(right.predict_proba(x).argmax(axis=1) == np.arange(30) % 3) > 0.9


def test_sparse_x_gives_what_dense_x_gives() -> None:
    x, votes, posterior = tiny()
    x = np.where(np.abs(x) < 0.5, 0, x).astype(np.float32)
    dense = Linear(scale="none").fit(x, votes, posterior)
    few = Linear(scale="none").fit(sparse.csr_array(x), votes, posterior)
    for features in (x, sparse.csr_array(x)):
        assert few.predict_proba(features) == pytest.approx(dense.predict_proba(x), abs=1e-4)


@pytest.mark.parametrize("scale", ["none", "standard", "ranks"])
def test_sparse_x_is_predicted_on_the_scale_of_training(scale: Any) -> None:
    x, votes, posterior = tiny()
    fitted = Linear(scale=scale).fit(x, votes, posterior)
    assert fitted.predict_proba(sparse.csr_array(x)) == pytest.approx(fitted.predict_proba(x), abs=1e-6)


def test_a_constant_column_can_be_fitted() -> None:
    x, votes, posterior = tiny()
    x[:, 3] = 7.0
    assert np.isfinite(Linear().fit(x, votes, posterior).predict_proba(x)).all()


def test_one_worker_one_class_and_nobody_named() -> None:
    x = np.random.default_rng(0).normal(size=(4, 2))
    for votes in (
        Votes.from_arrays(np.arange(4), np.zeros(4, int), [0, 1, 0, 1], n_classes=2),
        Votes.from_arrays(np.arange(4), np.zeros(4, int), [1, 1, 1, 1], n_classes=3),
        Votes.from_counts([[2, 1], [0, 3], [3, 0], [1, 1]]),
    ):
        probs = Linear().fit(x, votes, aggregate(votes)).predict_proba(x)
        assert np.allclose(probs.sum(axis=1), 1)
        if votes.n_classes == 3:
            assert np.all(probs.argmax(axis=1) == 1)


def test_refuses_options_that_make_no_sense() -> None:
    for options in ({"l2": -1.0}, {"max_rounds": 0}, {"scale": "x"}):
        with pytest.raises(MethodError):
            Linear(**options)


def test_validation_items_are_scaled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    x, votes, posterior = tiny()
    calls = list[int]()

    def counted(x: Any, spec: Any) -> Any:
        calls.append(len(x))
        return scaled(x, spec)

    monkeypatch.setattr("quorate.learning.learners.linear.scaled", counted)
    Linear(max_rounds=20).fit(x, votes, posterior, valid=Valid(x=x[:7], gold=np.arange(7) % 3))
    assert calls == [30, 7]
