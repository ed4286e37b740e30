import numpy as np
from hypothesis import given

from quorate import Votes
from quorate.quality.agreement._chance import agreement_parts, class_shares, observed_agreement
from tests.quality.agreement.pairs import MATRICES, mean_agreement, mean_shares, voted


@given(MATRICES)
def test_parts_as_counted_pair_by_pair(matrix: list[list[int]]) -> None:
    weights = np.random.default_rng(0).random((4, 4))
    weights = (weights + weights.T) / 2
    np.fill_diagonal(weights, 1)
    parts = agreement_parts(Votes.from_matrix(matrix, classes=range(4)), weights)
    tasks = voted(matrix)
    assert len(parts) == len(tasks)
    if tasks:
        sums = parts.sum(axis=0)
        assert np.isclose(observed_agreement(sums), mean_agreement(tasks, lambda a, b: float(weights[a, b])))
        assert np.allclose(class_shares(sums), mean_shares(tasks))


def test_a_single_vote_counts_for_the_shares_only() -> None:
    votes = Votes.from_matrix([[0, 0], [1, -1]])
    sums = agreement_parts(votes, single_votes=True).sum(axis=0)
    assert observed_agreement(sums) == 1
    assert class_shares(sums).tolist() == [0.5, 0.5]
    assert class_shares(agreement_parts(votes).sum(axis=0)).tolist() == [1, 0]
