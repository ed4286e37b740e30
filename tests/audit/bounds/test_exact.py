import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import hypergeom

from quorate.audit.bounds.exact import least_wrong, most_wrong
from quorate.errors import MethodError

AUDITS = st.integers(0, 60).flatmap(
    lambda n: st.tuples(st.integers(0, n), st.just(n), st.none() | st.integers(n, n + 90))
)


def test_none_wrong_is_the_rule_of_delta_to_the_one_by_n() -> None:
    # 0 of 29: the rate at which 29 right answers have a chance of .1 is 1 - .1^(1/29).
    assert most_wrong(0, 29) == pytest.approx(1 - 0.1 ** (1 / 29))
    assert round(most_wrong(0, 29), 4) == 0.0763


def test_a_pool_of_four_by_hand() -> None:
    # Two of four audited, both right: with two wrong the chance is 1/6, with three none. At .2 two are ruled out.
    assert most_wrong(0, 2, 4, delta=0.1) == 0.5
    assert most_wrong(0, 2, 4, delta=0.2) == 0.25  # one wrong: 1/2
    assert least_wrong(1, 2, 4, delta=0.2) == 0.25


@given(AUDITS)
def test_the_finite_pool_is_the_hypergeometric_one_turned_round(audit: tuple[int, int, int | None]) -> None:
    n_wrong, n_audited, n_pool = audit
    if not n_pool:
        return
    counts = np.arange(n_pool + 1)
    few = hypergeom.cdf(n_wrong, n_pool, counts, n_audited) > 0.1 + 1e-9
    many = hypergeom.sf(n_wrong - 1, n_pool, counts, n_audited) > 0.1 + 1e-9
    assert most_wrong(*audit) == counts[few].max() / n_pool
    assert least_wrong(*audit) == counts[many].min() / n_pool


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(MethodError, match="wrong must be between 0 and the 3 audited, got 4"):
        most_wrong(4, 3)
    with pytest.raises(MethodError, match="the pool has 2 items, got 3 audited"):
        least_wrong(0, 3, 2)
    with pytest.raises(MethodError, match="delta must be between 0 and 1"):
        most_wrong(0, 3, delta=1)
