import numpy as np
import pytest

from quorate import aggregate
from quorate.quality.workers.speed import Speed
from tests.quality.workers.worked_examples import timed


def test_speed_by_hand() -> None:
    """Logs of medians 0, 1, 2, 3, 8 about their median 2: distances 2, 1, 0, 1, 6 with median 1."""
    votes = timed([[np.exp(log)] for log in (0, 1, 2, 3, 8)])
    score = Speed().score(votes, aggregate(votes, "majority"))
    assert score == pytest.approx(np.array([-2, -1, 0, 1, 6]) / 1.4826, rel=1e-5)


def test_a_crowd_in_step_has_no_outliers() -> None:
    votes = timed([[10.0], [10.0], [10.0], [10.1]])
    assert np.abs(Speed().score(votes, aggregate(votes, "majority"))).max() < 0.2


def test_no_time_at_all_is_hasty_but_finite() -> None:
    votes = timed([[5.0], [5.0], [6.0], [0.0]])
    assert -100 < Speed().score(votes, aggregate(votes, "majority"))[3] < -3
