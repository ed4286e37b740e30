import numpy as np

from quorate import Votes, aggregate
from quorate.quality.workers.consensus_agreement import ConsensusAgreement


def test_passes_over_the_anonymous() -> None:
    votes = Votes.from_arrays([0, 0, 0], [0, -1, -1], [1, 0, 0], n_classes=2, n_workers=2)
    score = ConsensusAgreement().score(votes, aggregate(votes, "majority"))
    assert score[0] == 0
    assert np.isnan(score[1])
