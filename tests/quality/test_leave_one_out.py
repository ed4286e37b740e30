from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quorate import Votes, aggregate, join
from quorate.data.posterior import Posterior
from quorate.data.worker_models import Coin
from quorate.inference.bayes import item_posterior
from quorate.inference.design_effect import design_effect, discount
from quorate.quality.leave_one_out import comparable, consensus_without, leave_one_out, worker_agreement
from quorate.registry.method_names import AggregationMethod
from quorate.typing import Array
from tests.crowds import small_crowd
from tests.quality.workers.worked_examples import certain_posterior
from tests.sizes import sized

METHODS: tuple[AggregationMethod, ...] = ("majority", "dawid_skene", "ensemble")
FOUR_TASKS = Votes.from_matrix([[0, 0, 0], [0, 0, 1], [1, 1, 1], [1, 0, 1]])


def test_three_workers_and_four_tasks_by_hand() -> None:
    """On the second task, the first worker says 0 and the others 0 and 1: a tie, which counts half."""
    posterior = aggregate(FOUR_TASKS, "majority")
    by_task = leave_one_out(FOUR_TASKS, posterior).agrees.reshape(4, 3)
    assert by_task.tolist() == [[1, 1, 1], [0.5, 0.5, 0], [1, 1, 1], [0.5, 0, 0.5]]
    agreement = worker_agreement(FOUR_TASKS, posterior)
    assert agreement.compared.tolist() == [4, 4, 4]
    assert agreement.share.tolist() == [0.75, 0.625, 0.625]
    assert agreement.uncertainty.tolist() == [0.25, 0.125, 0.125]


def test_three_coins_by_hand() -> None:
    """Accuracies .9, .8 and .6: without the vote of the first, the second outweighs the third, .8 * .4 to .2 * .6."""
    votes = Votes.from_arrays([0, 0, 0], [0, 1, 2], [1, 0, 1], n_classes=2)
    model = Coin(np.array([0.9, 0.8, 0.6, 0.7]), 2)
    probs = item_posterior(model, [0.5, 0.5], votes.worker, votes.label)[None]
    posterior = Posterior.of(votes, probs, class_prior=np.array([0.5, 0.5]), worker_model=model)
    independent = np.array([[0.8 * 0.4, 0.2 * 0.6], [0.1 * 0.4, 0.9 * 0.6], [0.1 * 0.8, 0.9 * 0.2]])
    expected = discount(independent / independent.sum(axis=1, keepdims=True), design_effect([2, 2, 2]))
    assert consensus_without(votes, posterior)(np.arange(3)) == pytest.approx(expected)
    assert leave_one_out(votes, posterior).agrees.tolist() == [0, 0, 1]


@pytest.mark.parametrize("probabilities", ["model", "calibrated"])
def test_removes_exactly_the_vote(probabilities: str) -> None:
    """As slow and obvious: the posterior of the other votes, task by task."""
    votes = small_crowd(3)
    fitted = aggregate(votes, "dawid_skene", probabilities="model" if probabilities == "model" else "calibrated")
    posterior = join(votes, fitted)
    rows = np.flatnonzero(comparable(votes, posterior))
    assert posterior.worker_model is not None
    for row, probs in zip(rows, consensus_without(votes, posterior)(rows), strict=True):
        others = np.flatnonzero((votes.task == votes.task[row]) & (np.arange(len(votes)) != row))
        independent = item_posterior(
            posterior.worker_model, posterior.class_prior, votes.worker[others], votes.label[others]
        )
        assert probs == pytest.approx(discount(independent[None], design_effect([len(others)]))[0])


@st.composite
def some_votes(draw: st.DrawFn) -> Votes:
    seed, n_tasks, n_workers = draw(st.tuples(st.integers(0, 999), st.integers(1, 20), st.integers(1, 6)))
    n_classes = draw(st.integers(2, 4))
    rng = np.random.default_rng(seed)
    matrix = np.where(rng.random((n_tasks, n_workers)) < 0.7, rng.integers(0, n_classes, (n_tasks, n_workers)), -1)
    task, worker = np.nonzero(matrix >= 0)
    labels = matrix[task, worker]
    return Votes.from_arrays(task, worker, labels, n_classes=n_classes, n_tasks=n_tasks, n_workers=n_workers)


def _consensus(votes: Votes, posterior: Posterior) -> Array:
    return consensus_without(votes, posterior)(np.flatnonzero(comparable(votes, posterior)))


@settings(max_examples=sized(30, 300), deadline=None)
@given(votes=some_votes(), method=st.sampled_from(METHODS[:2]), worker=st.integers(0, 5))
def test_own_votes_do_not_influence_the_consensus(votes: Votes, method: AggregationMethod, worker: int) -> None:
    """However a worker votes, the consensus that these votes are compared with stays; given the matrices."""
    own = votes.worker == worker
    changed = replace(votes, label=np.where(own, (votes.label + 1) % votes.n_classes, votes.label))
    fitted = aggregate(votes, method)
    before, after = (
        aggregate(one, "majority") if method == "majority" else join(one, fitted) for one in (votes, changed)
    )
    compared = own[comparable(votes, before)]
    assert _consensus(votes, before)[compared] == pytest.approx(_consensus(changed, after)[compared])


@settings(max_examples=sized(30, 300), deadline=None)
@given(votes=some_votes(), method=st.sampled_from(METHODS), seed=st.integers(0, 99))
def test_order_of_votes_and_workers_does_not_matter(votes: Votes, method: AggregationMethod, seed: int) -> None:
    rng = np.random.default_rng(seed)
    posterior = aggregate(votes, method)
    shuffled = votes.subset(rows=rng.permutation(len(votes)))
    expected, found = worker_agreement(votes, posterior), worker_agreement(shuffled, posterior)
    assert found.compared.tolist() == expected.compared.tolist()
    assert found.share == pytest.approx(expected.share, nan_ok=True)
    assert found.uncertainty == pytest.approx(expected.uncertainty, nan_ok=True)


def test_order_of_workers_does_not_matter() -> None:
    votes = small_crowd(3)
    order = np.random.default_rng(0).permutation(votes.n_workers)
    renamed = Votes.from_arrays(
        votes.task, order[votes.worker], votes.label, n_classes=3, n_tasks=votes.n_tasks, n_workers=votes.n_workers
    )
    for method in METHODS:
        expected = worker_agreement(votes, aggregate(votes, method)).share
        assert worker_agreement(renamed, aggregate(renamed, method)).share[order] == pytest.approx(
            expected, nan_ok=True
        )


def test_a_task_with_a_single_vote_is_not_compared() -> None:
    votes = Votes.from_arrays([0, 0, 1], [0, 1, 0], [0, 0, 1], n_classes=2)
    for method in METHODS:
        assert worker_agreement(votes, aggregate(votes, method)).compared.tolist() == [1, 1]


@pytest.mark.parametrize("method", METHODS[1:])
def test_a_single_vote_is_compared_with_gold(method: AggregationMethod) -> None:
    votes = Votes.from_arrays([0, 1, 2, 2], [0, 0, 0, 1], [0, 1, 0, 0], n_classes=2)
    posterior = aggregate(votes, method, gold=[1, 1, -1])
    assert leave_one_out(votes, posterior).agrees.tolist()[:2] == [0, 1]


def test_a_posterior_without_workers_is_used_as_it_is() -> None:
    """It does not contain the votes, so nothing has to be left out: here, labels of experts."""
    expert = replace(certain_posterior(FOUR_TASKS, [0, 1, 1, 1]), workers=FOUR_TASKS.workers[:0])
    assert worker_agreement(FOUR_TASKS, expert).share.tolist() == [0.75, 0.5, 1]


def test_many_classes_are_compared_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    votes = small_crowd(4)
    posterior = aggregate(votes, "dawid_skene")
    expected = leave_one_out(votes, posterior)
    monkeypatch.setattr("quorate.quality.leave_one_out.BLOCK", 50)
    for whole, by_blocks in zip(expected, leave_one_out(votes, posterior), strict=True):
        assert np.array_equal(whole, by_blocks, equal_nan=True)
