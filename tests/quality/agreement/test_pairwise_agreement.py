import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate import Votes
from quorate.quality.agreement.pairwise_agreement import PairwiseAgreement
from tests.quality.agreement.scored import score


@given(st.lists(st.lists(st.integers(-1, 2), min_size=4, max_size=4), min_size=1, max_size=6))
def test_pairwise_agreement_equals_counting_pairs(matrix: list[list[int]]) -> None:
    pairs = [(row[i], row[j]) for row in matrix for i in range(4) for j in range(i) if row[i] >= 0 and row[j] >= 0]
    agreement = score(PairwiseAgreement(), Votes.from_matrix(matrix, classes=range(3)))
    if pairs:
        assert agreement == pytest.approx(np.mean([a == b for a, b in pairs]))
    else:
        assert np.isnan(agreement)
