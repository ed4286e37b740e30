import numpy as np

from quorate import aggregate
from quorate.quality.workers.median_seconds import MedianSeconds
from tests.quality.workers.worked_examples import timed


def test_medians() -> None:
    votes = timed([[1, 2, 9], [4, 2], [np.nan, 3], [np.nan], []])
    score = MedianSeconds().score(votes, aggregate(votes, "majority"))
    assert score[:3].tolist() == [2, 3, 3]
    assert np.isnan(score[3:]).all()
