import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate import Votes, aggregate, find
from quorate.quality.agreement.krippendorff_alpha import KrippendorffAlpha
from quorate.quality.agreement.pairwise_agreement import PairwiseAgreement
from quorate.quality.workers.consensus_agreement import ConsensusAgreement
from tests.crowds import small_crowd


@pytest.mark.parametrize("name", find.names("quality.workers"))
def test_a_worker_score_has_a_value_per_worker(name: str) -> None:
    votes = small_crowd(3)
    score = find.method("quality.workers", name).score(votes, aggregate(votes))
    assert score.shape == (votes.n_workers,)
    assert np.all(np.isfinite(score[votes.votes_per_worker > 0]))


@pytest.mark.parametrize("name", find.names("quality.agreement"))
def test_full_agreement_is_one(name: str) -> None:
    assert find.method("quality.agreement", name).score(Votes.from_matrix([[0, 0], [1, 1]])) == 1


def test_alpha_of_the_textbook() -> None:
    """Krippendorff's own example of nominal data (2011): four observers, twelve units, alpha .743."""
    n = -1
    observers = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, n, n, n],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, n, 3],
        [n, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, n],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, n],
    ]
    assert KrippendorffAlpha().score(Votes.from_matrix(np.array(observers).T)) == pytest.approx(0.743, abs=0.0005)


@given(st.lists(st.lists(st.integers(-1, 2), min_size=4, max_size=4), min_size=1, max_size=6))
def test_pairwise_agreement_equals_counting_pairs(matrix: list[list[int]]) -> None:
    pairs = [(row[i], row[j]) for row in matrix for i in range(4) for j in range(i) if row[i] >= 0 and row[j] >= 0]
    score = PairwiseAgreement().score(Votes.from_matrix(matrix, classes=range(3)))
    if pairs:
        assert score == pytest.approx(np.mean([a == b for a, b in pairs]))
    else:
        assert np.isnan(score)


def test_agreement_with_consensus_passes_over_the_anonymous() -> None:
    votes = Votes.from_arrays([0, 0, 0], [0, -1, -1], [1, 0, 0], n_classes=2, n_workers=2)
    score = ConsensusAgreement().score(votes, aggregate(votes, "majority"))
    assert score[0] == 0
    assert np.isnan(score[1])
