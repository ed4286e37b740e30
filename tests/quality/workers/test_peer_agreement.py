import numpy as np
import pytest

from quorate import Votes, aggregate
from quorate.quality.workers.peer_agreement import PeerAgreement


def test_counts_pairs() -> None:
    """Worker 0 meets two others twice and agrees in 1 + 2 of 4, worker 1 so too, worker 2 in 0 + 2; 3 is alone."""
    votes = Votes.from_matrix([[0, 0, 1, -1], [1, 1, 1, -1], [-1, -1, -1, 0]])
    score = PeerAgreement().score(votes, aggregate(votes, "majority"))
    assert score[:3] == pytest.approx([3 / 4, 3 / 4, 2 / 4])
    assert np.isnan(score[3])


def test_anonymous_votes_are_others() -> None:
    votes = Votes.from_arrays([0, 0, 0], [0, -1, -1], [1, 1, 0], n_classes=2)
    assert PeerAgreement().score(votes, aggregate(votes, "majority")) == pytest.approx([0.5])
