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
    estimate = state_error(4, 200, 400_000)
    assert estimate.low == pytest.approx(beta.ppf(0.05, 4, 197), abs=1e-5)
    assert estimate.high == pytest.approx(beta.ppf(0.95, 5, 196), abs=1e-5)
    assert estimate.value == 0.02


def test_a_pool_of_four_by_hand() -> None:
    # Two of four audited, one wrong: 1 to 3 wrong, as each gives that at least every second time; 0 and 4 cannot.
    estimate = state_error(1, 2, 4)
    assert (estimate.low, estimate.value, estimate.high) == (0.25, 0.5, 0.75)


def test_without_an_audit_it_is_unknown() -> None:
    estimate = state_error(0, 0, 500)
    assert not estimate.known
    assert np.isnan([estimate.value, estimate.low, estimate.high]).all()
    assert estimate.words == "error unknown: none of 500 was audited"
    cost = state_cost([0, 1], [-1, -1], Costs.of_error(5, 2))
    assert np.isnan([cost.value, cost.low, cost.high]).all()
    assert cost.words == "cost unknown: none of 2 was audited"


def test_a_stratum_without_an_audit_may_be_all_wrong_or_all_right() -> None:
    estimate = state_error([0, 0], [50, 0], [50, 50])
    assert np.isnan(estimate.value)
    assert (estimate.low, estimate.high) == (0, 0.5)
    assert estimate.words.startswith("error unknown, as a stratum has no audit")


def test_strata_are_weighed_by_their_size() -> None:
    labels, strata = np.zeros(100, dtype=int), np.repeat([0, 1], [80, 20])
    expert = np.full(100, -1)
    expert[:10], expert[80:] = 0, 0
    expert[80:90] = 1
    estimate = state_error_of(labels, expert, strata=strata)
    assert estimate.value == pytest.approx(0.1)  # half of a fifth
    assert estimate.low >= 0.1  # ten wrong were seen


@settings(deadline=None, max_examples=50)
@given(st.lists(STRATUM, min_size=1, max_size=3))
def test_the_interval_holds_the_estimate(strata: list[tuple[int, int, int]]) -> None:
    estimate = state_error(*zip(*strata, strict=True))
    assert not estimate.known or 0 <= estimate.low <= estimate.high <= 1
    if estimate.known and not np.isnan(estimate.value):
        slack = 1e-9 + len(strata) / estimate.n_pool  # counts are whole
        assert estimate.low - slack <= estimate.value <= estimate.high + slack


def test_wrong_arguments_are_refused() -> None:
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
    # Errors are five times as frequent in the last stratum. At least 88% of the 90% intervals hold the truth.
    rng = np.random.default_rng(0)
    wrong = [round(size * rate * (5 if stratum else 1)) for stratum, size in enumerate(sizes)]
    covered = 0
    for _ in range(200):
        seen = [rng.hypergeometric(w, size - w, n) for w, size, n in zip(wrong, sizes, audits, strict=True)]
        estimate = state_error(seen, audits, sizes)
        covered += estimate.low <= sum(wrong) / sum(sizes) <= estimate.high
    assert covered >= 0.88 * 200
