"""Trust in a classifier that was trained on votes: it is earned by predicting the votes on other tasks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate.decision.classifier_trust import earned_trust, gain_per_task
from quorate.typing import Array

VOTE_0, VOTE_1 = [0.8, 0.2], [0.2, 0.8]  # likelihood of one vote of a worker who is right in 8 of 10
PRIOR = np.array([[0.9, 0.1], [0.9, 0.1], [0.1, 0.9], [0.1, 0.9]])


@st.composite
def priors_and_likelihoods(draw: st.DrawFn) -> tuple[Array, Array]:
    n_classes, n_tasks, seed = draw(st.integers(2, 6)), draw(st.integers(1, 40)), draw(st.integers(0, 2**31))
    rng = np.random.default_rng(seed)
    concentration = draw(st.sampled_from([0.05, 0.5, 5.0]))
    prior = rng.dirichlet(np.full(n_classes, concentration), size=n_tasks)
    return 0.99 * prior + 0.01 / n_classes, rng.random((n_tasks, n_classes)) + 1e-3


def test_by_hand() -> None:
    # The mean prior is .5, .5, with the entropy log 2 = .6931. Three votes agree with the classifier: .9 * .8 + .1 * .2
    # = .74, against .5 by the mean prior; one contradicts it: .26 against .5. The mean gain is (3 log 1.48 + log .52)
    # / 4 = .1306, or .1884 of the entropy; (.1884 - .03) / .26 = .609.
    likelihood = np.array([VOTE_0, VOTE_0, VOTE_1, VOTE_0])
    assert gain_per_task(PRIOR, likelihood) == pytest.approx([0.3920, 0.3920, 0.3920, -0.6539], abs=1e-4)
    assert earned_trust(PRIOR, likelihood, 0.0) == pytest.approx(0.609, abs=1e-3)


def test_a_gain_that_chance_can_explain_earns_nothing() -> None:
    likelihood = np.array([VOTE_0, VOTE_0, VOTE_1, VOTE_0])
    assert earned_trust(PRIOR, likelihood, min_gain=0.53) == 0  # the total gain is .5222
    assert earned_trust(PRIOR, likelihood, min_gain=0.52) > 0.6


def test_full_trust_where_all_votes_agree() -> None:
    # log 1.48 = .392 per task is .566 of the entropy.
    assert earned_trust(PRIOR, np.array([VOTE_0, VOTE_0, VOTE_1, VOTE_1]), 1.0) == 1


def test_the_gain_counts_relative_to_the_entropy_of_the_classes() -> None:
    # One class has 7 of 8 tasks. The mean prior is .8675, .1325, with the entropy .3911. By hand, the gain is
    # log(.752 / .7205) = .0428 on 7 tasks and log(.5 / .2795) = .5816 on one: .1101 in the mean, .2816 of the entropy.
    # With two equal classes, the same gain would be .159 of the entropy.
    prior, likelihood = np.array([[0.92, 0.08]] * 7 + [[0.5, 0.5]]), np.array([VOTE_0] * 7 + [VOTE_1])
    assert gain_per_task(prior, likelihood).mean() == pytest.approx(0.1101, abs=1e-4)
    assert earned_trust(prior, likelihood, 0.0) == pytest.approx((0.2816 - 0.03) / 0.26, abs=1e-3)


@given(priors_and_likelihoods(), st.floats(-5, 5))
def test_trust_is_a_share(pool: tuple[Array, Array], min_gain: float) -> None:
    assert 0 <= earned_trust(*pool, min_gain) <= 1


@given(priors_and_likelihoods())
def test_a_constant_classifier_earns_nothing(pool: tuple[Array, Array]) -> None:
    prior, likelihood = pool
    same = np.tile(prior[0], (len(prior), 1))
    assert gain_per_task(same, likelihood) == pytest.approx(0, abs=1e-12)
    assert earned_trust(same, likelihood, 1e-9) == 0


@given(priors_and_likelihoods())
def test_a_classifier_at_chance_earns_nothing(pool: tuple[Array, Array]) -> None:
    # Every prediction meets every set of votes, so that predictions and votes are independent.
    prior, likelihood = pool
    crossed = np.repeat(prior, len(prior), axis=0), np.tile(likelihood, (len(prior), 1))
    assert gain_per_task(*crossed).sum() <= 1e-9
    assert earned_trust(*crossed, 1e-9) == 0


@given(priors_and_likelihoods(), st.integers(0, 1000))
def test_the_order_of_classes_and_the_scale_of_likelihoods_do_not_matter(pool: tuple[Array, Array], seed: int) -> None:
    prior, likelihood = pool
    rng = np.random.default_rng(seed)
    order, factor = rng.permutation(prior.shape[1]), rng.random((len(prior), 1)) + 0.1
    expected = earned_trust(prior, likelihood, 0.0)
    assert earned_trust(prior[:, order], factor * likelihood[:, order], 0.0) == pytest.approx(expected, abs=1e-9)
