from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quorate.audit.bounds.anytime import LOG_WEIGHTS, SHARES, certified_anytime, least_above, most_wrong_anytime, stake
from quorate.audit.bounds.exact import most_wrong

AUDITS = st.integers(1, 60).flatmap(
    lambda n: st.tuples(st.integers(0, n), st.just(n), st.none() | st.integers(n + 1, n + 90))
)


def test_the_stake_by_hand() -> None:
    # Against .1, one right answer: each rival s gains (1 - .1 s) / .9; one wrong: s.
    weights = np.exp(LOG_WEIGHTS)
    assert weights.sum() == pytest.approx(1)
    assert np.exp(stake(0, 1, 0.1)) == pytest.approx(weights @ (1 - 0.1 * SHARES) / 0.9)
    assert np.exp(stake(1, 1, 0.1)) == pytest.approx(weights @ SHARES)


def test_it_is_a_fair_game() -> None:
    # Over all audits of the true rate the mean stake is one; in a pool, at most one, as rivals may be ruled out.
    rate, n = 0.3, 8
    answers = np.array(list(product([0, 1], repeat=n))).sum(axis=1)
    chance = rate**answers * (1 - rate) ** (n - answers)
    assert chance @ np.exp(stake(answers, n, rate)) == pytest.approx(1)
    wrong, n_pool = 4, 12
    drawn = [np.random.default_rng(seed).permutation(n_pool)[:5] < wrong for seed in range(4000)]
    means = np.array([np.exp(stake(np.cumsum(audit), np.arange(1, 6), wrong, n_pool)) for audit in drawn])
    assert (means.mean(axis=0) <= 1 + 3 * means.std(axis=0) / 4000**0.5).all()


@settings(deadline=None)
@given(AUDITS)
def test_the_bound_goes_the_right_way(audit: tuple[int, int, int | None]) -> None:
    n_wrong, n_audited, n_pool = audit
    bound = most_wrong_anytime(n_wrong, n_audited, n_pool)
    assert bound >= n_wrong / n_audited - (1 / n_pool if n_pool else 1e-9)  # a pool's count is whole
    assert bound >= most_wrong(n_wrong, n_audited, n_pool) - 1e-9  # to look again and again has its price
    assert most_wrong_anytime(n_wrong, n_audited + 1, n_pool) <= bound + 2e-6
    assert most_wrong_anytime(n_wrong, n_audited, n_pool, delta=0.01) >= bound - 2e-6
    if n_wrong < n_audited:
        assert most_wrong_anytime(n_wrong + 1, n_audited, n_pool) >= bound - 2e-6


@settings(deadline=None)
@given(AUDITS, st.floats(0.01, 0.6))
def test_a_target_is_certified_where_the_bound_is_below_it(audit: tuple[int, int, int | None], target: float) -> None:
    n_wrong, n_audited, n_pool = audit
    bound = most_wrong_anytime(*audit)
    if abs(bound - target) > 2e-6:
        assert bool(certified_anytime(n_wrong, n_audited, target, n_pool)) == (bound <= target)


def test_the_whole_pool_audited_leaves_no_doubt() -> None:
    assert most_wrong_anytime(3, 40, 40) == 3 / 40
    assert most_wrong_anytime(0, 0) == most_wrong_anytime(0, 0, 10) == 1
    assert least_above(0.05, 100) == 6
    assert least_above(0.29, 100) == 30  # .29 * 100 is a little less than 29


@pytest.mark.slow
@pytest.mark.parametrize(("n_pool", "wrong"), [(None, 0.02), (None, 0.1), (400, 8), (60, 6), (2000, 10)])
def test_the_bound_holds_after_every_audit(n_pool: int | None, wrong: float) -> None:
    # The bound is ever below the truth where the stake against the truth ever reaches 1 / delta.
    violated = 0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        answers = rng.random(2000) < wrong if n_pool is None else rng.permutation(n_pool) < wrong
        n_audited = np.arange(1, len(answers) + 1)
        violated += bool((stake(np.cumsum(answers), n_audited, wrong, n_pool) >= np.log(10)).any())
    assert violated <= 30


def test_the_exact_bound_does_not_hold_after_every_audit() -> None:
    # Repeated looks break the bound for one look: the reason why there is another.
    violated = 0
    for seed in range(100):
        wrong = np.cumsum(np.random.default_rng(seed).random(1000) < 0.05)
        looks = range(20, 1000, 20)
        violated += any(most_wrong(int(wrong[n - 1]), n) < 0.05 for n in looks)
    assert violated > 20
