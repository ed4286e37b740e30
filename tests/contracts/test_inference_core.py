"""What aggregation and decision share: one clamp of gold, one layout of matrices, one EM loop."""

import numpy as np
import pytest

from quorate import Votes
from quorate.data.worker_models import Confusion
from quorate.inference.bayes import clamp_gold, response_log_probs
from quorate.inference.crowd_model import Crowd, fit_crowd
from quorate.inference.em import NO_TOLERANCE, em
from quorate.inference.kernels import observed_first, true_first
from quorate.inference.progress import watch_rounds
from quorate.registry import method, names
from tests.crowds import small_crowd


def test_gold_is_clamped_in_place() -> None:
    probs = np.full((3, 2), 0.5)
    clamped = clamp_gold(probs, np.array([1, -1, 0]))
    assert clamped is probs
    assert probs.tolist() == [[0, 1], [0.5, 0.5], [1, 0]]
    assert clamp_gold(probs, None) is probs


def test_layouts_are_each_other_turned() -> None:
    matrices = np.arange(24.0).reshape(2, 3, 4)
    table = observed_first(matrices)
    assert table.shape == (2, 4, 3)
    assert table.flags.c_contiguous
    np.testing.assert_array_equal(true_first(table), matrices)
    assert np.shares_memory(observed_first(true_first(table)), table)  # nothing is copied


def test_matrices_are_read_by_worker_true_and_observed() -> None:
    matrices = np.array([[[0.9, 0.1], [0.3, 0.7]], [[0.6, 0.4], [0.2, 0.8]]])  # the pool last
    expected = np.log([0.1, 0.7])  # of label 1, for every true class
    crowd = Crowd(np.array(["a"]), matrices)
    for model in (Confusion(np.log(matrices)), crowd):
        np.testing.assert_allclose(model.log_likelihood(0, 1), expected)
        np.testing.assert_allclose(np.exp(response_log_probs(model, [0], 2)), matrices)


def test_a_fitted_crowd_is_a_worker_model() -> None:
    votes = small_crowd(3)
    crowd = fit_crowd(votes, np.full((votes.n_tasks, 3), 1 / 3))
    as_confusion = Confusion(np.log(crowd.table))
    worker, observed = np.array([0, 1, -1]), np.array([2, 0, 1])
    np.testing.assert_allclose(crowd.log_likelihood(worker, observed), as_confusion.log_likelihood(worker, observed))
    np.testing.assert_allclose(crowd.table.sum(axis=2), 1)


def test_without_a_tolerance_every_round_is_taken() -> None:
    fit = em(0, lambda n: n + 1, lambda n: (n, -float(n)), n_votes=1, max_rounds=7, tol=NO_TOLERANCE)
    assert fit.objective == [-1, -2, -3, -4, -5, -6, -7]
    assert not fit.converged


def test_rounds_end_when_the_expectations_settle() -> None:
    fit = em(
        16.0,
        lambda n: n / 2,
        lambda n: (n, 0.0),
        n_votes=1,
        max_rounds=99,
        tol=NO_TOLERANCE,
        settled=lambda before, after: before - after < 1.5,
    )
    assert fit.converged
    assert fit.model == 1.0


@pytest.mark.parametrize("name", names("decision.fusion"))
def test_fusions_report_no_rounds_of_their_own(name: str) -> None:
    """A fit is one step of a replay, whose progress is shown."""
    votes: Votes = small_crowd(2)
    rounds: list[int] = []
    with watch_rounds(lambda number, most: rounds.append(number)):
        method("decision.fusion", name).fit(votes, {})
    assert not rounds
