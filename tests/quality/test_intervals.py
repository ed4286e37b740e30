import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quorate import Votes, aggregate
from quorate.quality import agreement_interval, wilson
from quorate.quality.intervals import wilson_ends
from quorate.quality.workers.consensus_agreement import ConsensusAgreement
from quorate.quality.workers.consensus_high import ConsensusHigh
from quorate.quality.workers.consensus_low import ConsensusLow
from quorate.registry.method_names import AggregationMethod
from tests.crowds import small_crowd
from tests.quality.workers.worked_examples import certain_posterior, confusions
from tests.sizes import sized


def test_interval_of_the_textbook() -> None:
    """Wilson's interval of 8 right out of 10: .490 to .943."""
    assert wilson_ends(0.8, 10) == pytest.approx((0.490, 0.943), abs=0.0005)


def test_a_certain_consensus_adds_nothing() -> None:
    """Ten tasks with gold, 8 of them right: the interval of the textbook."""
    votes = Votes.from_arrays(np.arange(10), np.zeros(10, int), [0] * 8 + [1] * 2, n_classes=2)
    posterior = certain_posterior(votes, [0] * 10, confusions([[0.9, 0.1], [0.3, 0.7]]))
    assert ConsensusLow().score(votes, posterior) == pytest.approx([0.490], abs=0.0005)
    assert ConsensusHigh().score(votes, posterior) == pytest.approx([0.943], abs=0.0005)


def test_an_uncertain_consensus_widens_the_interval_by_hand() -> None:
    """Three workers on 16 tasks; on half of them, the two others of the first disagree: uncertain by .5 / 2 = .25.

    The first agrees on 8 + 8 / 2 = 12 of 16. Wilson's interval is .505 to .898, with middle .702 and half width .197.
    The new half width is sqrt(.197^2 + (1.96 * .4 * .25)^2) = .278.
    """
    votes = Votes.from_matrix([[0, 0, 0], [0, 0, 1]] * 8)
    low, high = agreement_interval(votes, aggregate(votes, "majority"))
    assert (low[0], high[0]) == pytest.approx((0.424, 0.979), abs=0.001)


@settings(max_examples=sized(30, 300), deadline=None)
@given(
    seed=st.integers(0, 999),
    n_classes=st.integers(2, 4),
    n_tasks=st.integers(1, 60),
    method=st.sampled_from(["majority", "dawid_skene", "ensemble"]),
)
def test_interval_contains_the_score(seed: int, n_classes: int, n_tasks: int, method: AggregationMethod) -> None:
    votes = small_crowd(n_classes, seed, n_tasks)
    posterior = aggregate(votes, method)
    low, middle, high = (s.score(votes, posterior) for s in (ConsensusLow(), ConsensusAgreement(), ConsensusHigh()))
    compared = ~np.isnan(middle)
    assert np.array_equal(np.isnan(low), ~compared)
    assert np.array_equal(np.isnan(high), ~compared)
    assert np.all((low >= 0) & (low <= middle) & (middle <= high) & (high <= 1), where=compared)


def test_the_former_name_warns() -> None:
    votes = small_crowd(3)
    posterior = aggregate(votes, "dawid_skene")
    with pytest.warns(FutureWarning, match="'wilson' is called 'agreement_interval'"):
        former = wilson(votes, posterior)
    assert np.array_equal(former, agreement_interval(votes, posterior), equal_nan=True)
