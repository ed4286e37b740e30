import numpy as np
import pytest

from benchmarks.trust.ended_pools import error_of_majority
from benchmarks.trust.stated_errors import CANDIDATES, Table, best, left_out, within
from quorate import Votes
from quorate.decision.stated_error import DISCOUNT


def table() -> Table:
    """Two sets in which the error is what candidate 3 states, and one, with two rows, in which it is what 5 states."""
    rng = np.random.default_rng(0)
    rows = np.repeat(["a", "b", "c:one", "c:two"], 8)
    by_candidate = rng.uniform(0.05, 0.5, size=(32, len(CANDIDATES)))
    errors = np.where(np.char.startswith(rows, "c"), by_candidate[:, 5], by_candidate[:, 3])
    return Table(rows, np.tile([5, 20, 100, 500], 8), errors, by_candidate)


def test_constants_are_learnt_without_the_measured_set() -> None:
    pools = table()
    assert best(pools, pools.sets != "c") == 3
    assert best(pools, pools.sets == "c") == 5
    stated, _ = left_out(pools)
    of_c = pools.sets == "c"
    np.testing.assert_array_equal(stated[of_c], pools.by_candidate[of_c, 3])  # not 5, though another row has the votes


def test_constants_that_ship_are_a_candidate() -> None:
    assert DISCOUNT in CANDIDATES


def test_means_are_over_the_pools_of_a_row_and_cost() -> None:
    pools = table()
    own = (pools.rows == "b") & (pools.costs == 20)
    assert pools.cell_means(pools.errors)[own].tolist() == pytest.approx([pools.errors[own].mean()] * 2)


def test_a_pool_without_errors_is_outside_of_every_factor() -> None:
    assert within(np.array([1.9, 0.51, 2.1, np.inf])) == 0.5


def test_error_of_a_majority_of_the_first_votes() -> None:
    votes = Votes.from_matrix([[0, 0, 0, 1, 1], [1, 1, 1, 1, 1], [0, 1, -1, -1, -1]])
    assert error_of_majority(votes, np.array([1, 1, 0]), 5, seed=0) == 0.5  # the third task has too few votes
    assert np.isnan(error_of_majority(votes, np.array([1, 1, 0]), 6, seed=0))
