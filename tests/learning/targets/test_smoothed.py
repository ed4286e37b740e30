import numpy as np
import pytest

from quorate.errors import MethodError
from quorate.learning.targets.hard import Hard
from quorate.learning.targets.smoothed import Smoothed
from tests.learning.targets.shares import VOTES, posterior


def test_smoothing_both_ways_by_hand() -> None:
    over_all = Smoothed(alpha=0.3).make(VOTES, posterior()).probs
    assert over_all == pytest.approx(np.array([[0.8, 0.1, 0.1], [0.1, 0.8, 0.1]]))  # 1 - .3 + .3 / 3
    others = Smoothed(alpha=0.3, over="others").make(VOTES, posterior()).probs
    assert others == pytest.approx(np.array([[0.7, 0.15, 0.15], [0.15, 0.7, 0.15]]))  # .3 / 2 for each other
    assert Smoothed(alpha=0.0).make(VOTES, posterior()).probs.tolist() == Hard().make(VOTES, posterior()).probs.tolist()


def test_refuses_options_that_make_no_sense() -> None:
    for options in ({"alpha": 1.0}, {"alpha": -0.1}, {"over": "x"}):
        with pytest.raises(MethodError):
            Smoothed(**options)
