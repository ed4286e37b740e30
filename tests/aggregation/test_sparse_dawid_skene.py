import numpy as np
import pytest

from quorate import Votes, simulate_votes
from quorate.aggregation.dawid_skene import DawidSkene
from quorate.aggregation.sparse_dawid_skene import SparseConfusion, SparseDawidSkene
from quorate.errors import MethodError


def with_every_class_named(n_classes: int) -> Votes:
    """Votes in which every class is named on every task, by one of the last workers each."""
    simulated = simulate_votes(n_tasks=40, votes_per_task=3, classes=range(n_classes), seed=3).votes
    extra_task = np.repeat(np.arange(40), n_classes)
    extra_label = np.tile(np.arange(n_classes), 40)
    return Votes.from_arrays(
        np.append(simulated.task, extra_task),
        np.append(simulated.worker, simulated.n_workers + extra_label),
        np.append(simulated.label, extra_label),
        n_classes=n_classes,
    )


@pytest.mark.parametrize("n_classes", [2, 4])
def test_is_dawid_skene_where_every_class_is_possible(n_classes: int) -> None:
    votes = with_every_class_named(n_classes)
    gold = np.where(np.arange(40) % 9, -1, 1)
    dense = DawidSkene(max_rounds=12, tol=-1).aggregate(votes, gold=gold)
    sparse = SparseDawidSkene(max_rounds=12, tol=-1).aggregate(votes, gold=gold)
    assert np.allclose(dense.probs, sparse.probs)
    assert np.allclose(np.diff(dense.objective), np.diff(sparse.objective))
    observed = np.arange(n_classes)[:, None]
    assert dense.worker_model is not None
    assert sparse.worker_model is not None
    worker = np.arange(-1, votes.n_workers)[None, :]
    assert np.allclose(
        dense.worker_model.log_likelihood(worker, observed), sparse.worker_model.log_likelihood(worker, observed)
    )


def test_a_round_by_hand() -> None:
    """Three classes, of which nobody names the last on a task: task 0 has votes 0, 0, 1; task 1 has 1, 1.

    Shares: (2/3, 1/3) and (0, 1). Worker 0 said 0, then 1: cells (0 said, 0 true) 2/3, (0, 1) 1/3, (1, 1) 1.
    """
    votes = Votes.from_arrays([0, 0, 0, 1, 1], [0, 1, 2, 0, 1], [0, 0, 1, 1, 1], n_classes=3)
    posterior = SparseDawidSkene(strength=6, max_rounds=1).aggregate(votes)
    model = posterior.worker_model
    assert isinstance(model, SparseConfusion)
    # (said, true) of the pool: 0 was said twice on task 0 and 1 once, 1 twice on task 1; a third of a vote more each.
    pool = np.array([[4 / 3, 2 / 3, 0], [2 / 3, 1 / 3 + 2, 0], [0, 0, 0]]) + 1 / 3
    pool /= pool.sum(axis=0)
    own = np.array([[2 / 3, 1 / 3, 0], [0, 1, 0], [0, 0, 0]]) + 6 * pool
    assert np.allclose(np.exp(model.log_likelihood(0, np.arange(3))), own / own.sum(axis=0))
    assert np.all(posterior.probs[:, 2] == 0)


def test_takes_a_thousand_classes() -> None:
    """A matrix per worker would be 16 GB."""
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 1000, 3000)
    labels = np.where(rng.random((3000, 5)) < 0.7, gold[:, None], rng.integers(0, 1000, (3000, 5)))
    workers = np.argsort(rng.random((3000, 2000)), axis=1)[:, :5]
    votes = Votes.from_arrays(np.repeat(np.arange(3000), 5), workers.ravel(), labels.ravel(), n_classes=1000)
    posterior = SparseDawidSkene().aggregate(votes)
    assert posterior.converged
    assert np.mean(posterior.labels == gold) > 0.9
    with pytest.raises(MethodError, match="use sparse_dawid_skene"):
        DawidSkene().aggregate(votes)


def test_gold_may_be_a_class_that_nobody_named() -> None:
    votes = Votes.from_arrays([0, 0, 1, 1], [0, 1, 0, 1], [0, 0, 1, 1], n_classes=3)
    assert SparseDawidSkene().aggregate(votes, gold=[2, -1]).labels.tolist() == [2, 1]


def test_refuses_no_prior() -> None:
    with pytest.raises(MethodError, match="strength"):
        SparseDawidSkene(strength=0)
