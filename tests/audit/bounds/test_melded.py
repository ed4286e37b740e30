import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate.audit.bounds.melded import counts_by_stratum, melded_above, melded_below

AUDITS = st.integers(0, 60).flatmap(
    lambda n: st.tuples(st.integers(0, n), st.just(n), st.none() | st.integers(n, n + 90))
)


@given(AUDITS)
def test_one_stratum_is_the_exact_bound(audit: tuple[int, int, int | None]) -> None:
    n_wrong, n_audited, n_pool = audit
    if n_pool:
        above, below = melded_above([(n_wrong, n_audited, n_pool)]), melded_below([(n_wrong, n_audited, n_pool)])
        assert above.sum() == pytest.approx(1)
        assert below.sum() == pytest.approx(1)
        assert (above[:n_wrong] < 1e-12).all()
        assert above @ np.arange(n_pool + 1) >= below @ np.arange(n_pool + 1) - 1e-9


def test_strata_are_counted() -> None:
    wrong, audited = np.array([True, True, False, False]), np.array([True, False, True, True])
    assert counts_by_stratum(wrong, audited, np.array([0, 0, 2, 2])) == [(1, 1, 2), (0, 2, 2)]
