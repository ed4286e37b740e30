import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import beta

from quorate.audit.error_cost import state_cost
from quorate.audit.error_rate import state_error, state_error_of
from quorate.data.costs import Costs
from quorate.errors import MethodError

STRATUM = st.integers(0, 30).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n), st.integers(n, n + 60)))


def test_a_large_pool_is_clopper_and_pearson() -> None:
    found = state_error(4, 200, 400_000)
    assert found.low == pytest.approx(beta.ppf(0.05, 4, 197), abs=1e-5)
    assert found.high == pytest.approx(beta.ppf(0.95, 5, 196), abs=1e-5)
    assert found.value == 0.02


def test_a_pool_of_four_by_hand() -> None:
    """Two of four audited, one wrong: 1 to 3 wrong, as each gives that at least every second time; 0 and 4 cannot."""
    found = state_error(1, 2, 4)
    assert (found.low, found.value, found.high) == (0.25, 0.5, 0.75)


def test_without_an_audit_it_is_unknown() -> None:
    found = state_error(0, 0, 500)
    assert not found.known
    assert np.isnan([found.value, found.low, found.high]).all()
    assert found.words == "error unknown: none of 500 was audited"
    cost = state_cost([0, 1], [-1, -1], Costs.of_error(5, 2))
    assert np.isnan([cost.value, cost.low, cost.high]).all()
    assert cost.words == "cost unknown: none of 2 was audited"


def test_a_stratum_without_an_audit_may_be_all_wrong_or_all_right() -> None:
    found = state_error([0, 0], [50, 0], [50, 50])
    assert np.isnan(found.value)
    assert (found.low, found.high) == (0, 0.5)
    assert found.words.startswith("error unknown, as a stratum has no audit")


def test_strata_are_weighed_by_their_size() -> None:
    labels, strata = np.zeros(100, dtype=int), np.repeat([0, 1], [80, 20])
    expert = np.full(100, -1)
    expert[:10], expert[80:] = 0, 0
    expert[80:90] = 1
    found = state_error_of(labels, expert, strata=strata)
    assert found.value == pytest.approx(0.1)  # half of a fifth
    assert found.low >= 0.1  # ten wrong were seen


@settings(deadline=None, max_examples=50)
@given(st.lists(STRATUM, min_size=1, max_size=3))
def test_the_interval_holds_the_estimate(strata: list[tuple[int, int, int]]) -> None:
    found = state_error(*zip(*strata, strict=True))
    assert not found.known or 0 <= found.low <= found.high <= 1
    if found.known and not np.isnan(found.value):
        slack = 1e-9 + len(strata) / found.n_pool  # counts are whole
        assert found.low - slack <= found.value <= found.high + slack


def test_wrong_input_is_told() -> None:
    with pytest.raises(MethodError, match="one number per stratum"):
        state_error([0, 1], [5, 5], 20)
    with pytest.raises(MethodError, match="wrong must be between"):
        state_error(6, 5, 20)
    with pytest.raises(MethodError, match="numbered from 0"):
        state_error_of([0, 1], [0, 1], strata=[0, -1])


@pytest.mark.slow
@pytest.mark.parametrize(("sizes", "audits"), [([1000], [100]), ([900, 100], [60, 40]), ([500, 300, 200], [40] * 3)])
@pytest.mark.parametrize("rate", [0.01, 0.08])
def test_it_covers(sizes: list[int], audits: list[int], rate: float) -> None:
    """Errors are five times as frequent in the last stratum. At least 88 % of the 90 % intervals hold the truth."""
    rng = np.random.default_rng(0)
    wrong = [round(size * rate * (5 if place else 1)) for place, size in enumerate(sizes)]
    covered = 0
    for _ in range(200):
        seen = [rng.hypergeometric(w, size - w, n) for w, size, n in zip(wrong, sizes, audits, strict=True)]
        found = state_error(seen, audits, sizes)
        covered += found.low <= sum(wrong) / sum(sizes) <= found.high
    assert covered >= 0.88 * 200
