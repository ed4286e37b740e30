import numpy as np
import pytest

from quorate import Votes, aggregate
from quorate.quality.workers.consensus_agreement import ConsensusAgreement
from quorate.quality.workers.consensus_high import ConsensusHigh
from quorate.quality.workers.consensus_low import ConsensusLow
from tests.crowds import small_crowd
from tests.quality.workers.worked_examples import certain_posterior


def test_interval_of_the_textbook() -> None:
    """Wilson's interval of 8 right out of 10: .490 to .943."""
    votes = Votes.from_arrays(np.arange(10), np.zeros(10, int), [0] * 8 + [1] * 2, n_classes=2)
    posterior = certain_posterior(votes, [0] * 10)
    assert ConsensusLow().score(votes, posterior) == pytest.approx([0.490], abs=0.0005)
    assert ConsensusHigh().score(votes, posterior) == pytest.approx([0.943], abs=0.0005)


def test_interval_holds_the_score() -> None:
    votes = small_crowd(3)
    posterior = aggregate(votes)
    low, middle, high = (s.score(votes, posterior) for s in (ConsensusLow(), ConsensusAgreement(), ConsensusHigh()))
    voted = votes.votes_per_worker > 0
    assert np.all((low >= 0) & (low < middle) & (middle < high) & (high <= 1), where=voted)
