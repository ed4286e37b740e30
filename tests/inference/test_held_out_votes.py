import numpy as np
import pytest

from quorate import Votes, simulate_votes
from quorate.errors import MethodError
from quorate.inference.held_out_votes import hold_out_votes, vote_log_likelihood


def test_likelihood_by_hand() -> None:
    """Two tasks that are class 0 for sure; worker 0 said 0 on the first, worker 1 said 1: the pool says either half.

    Worker 0 then says 0 with (1 + 8 * (1 + .5) / 3) / 9 = 5/9, worker 1 with 4/9. Held out: 0 says 0, 1 says 0.
    """
    rest = Votes.from_arrays([0, 0], [0, 1], [0, 1], n_classes=2, n_tasks=2)
    held_out = Votes.from_arrays([1, 1], [0, 1], [0, 0], n_classes=2, n_tasks=2)
    log_likelihood = vote_log_likelihood(np.array([[1.0, 0.0], [1.0, 0.0]]), rest, held_out)
    assert np.allclose(log_likelihood, np.log([5 / 9, 4 / 9]))


def test_a_posterior_is_averaged_over() -> None:
    """Nobody has voted, so each label has half of a chance whatever the class: the posterior does not matter."""
    rest = Votes.from_arrays([], [], [], n_classes=2, n_tasks=1, n_workers=1)
    held_out = Votes.from_arrays([0], [0], [1], n_classes=2)
    assert np.allclose(vote_log_likelihood(np.array([[0.3, 0.7]]), rest, held_out), np.log(0.5))


def test_the_probabilities_of_all_labels_sum_to_one() -> None:
    votes = simulate_votes(n_tasks=40, classes=range(3), seed=1).votes
    probs = np.random.default_rng(0).dirichlet(np.ones(3), size=40)
    workers = np.arange(votes.n_workers)
    total = np.zeros(votes.n_workers)
    for label in range(3):  # every worker is asked about the first task
        asked = Votes.from_arrays(0 * workers, workers, 0 * workers + label, n_classes=3, n_tasks=40)
        total += np.exp(vote_log_likelihood(probs, votes, asked))
    assert np.allclose(total, 1)


def test_parts_are_disjoint_and_do_not_depend_on_the_order_of_votes() -> None:
    votes = simulate_votes(n_tasks=30, seed=2).votes
    rest, held_out = hold_out_votes(votes, 0.25, seed=3)
    assert len(held_out) == round(0.25 * len(votes))
    assert np.array_equal(rest.counts() + held_out.counts(), votes.counts())
    shuffled = votes.subset(rows=np.random.default_rng(0).permutation(len(votes)))
    assert np.array_equal(hold_out_votes(shuffled, 0.25, seed=3)[1].counts(), held_out.counts())
    assert not np.array_equal(hold_out_votes(votes, 0.25, seed=4)[1].counts(), held_out.counts())


def test_refuses_tables_that_no_memory_holds() -> None:
    huge = Votes.from_arrays([0], [0], [0], n_classes=2000, n_workers=500)
    with pytest.raises(MethodError, match="GB"):
        vote_log_likelihood(np.full((1, 2000), 1 / 2000), huge, huge)
