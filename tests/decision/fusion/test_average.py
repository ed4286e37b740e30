import numpy as np
import pytest

from quorate.decision.fusion.average import FusedAverage
from quorate.inference.crowd_model import Crowd
from tests.decision.fusion.pools import COIN, one_vote


def test_average_by_hand() -> None:
    model = FusedAverage(Crowd(one_vote().workers, COIN[None]), np.array([0.5, 0.5]), weight=0.5)
    probs = model.posterior(one_vote(), {"machine": np.array([[0.3, 0.7], [0.3, 0.7]])})
    assert probs[0, 0] == pytest.approx((0.8 + 0.3) / 2)
    assert probs[1, 0] == pytest.approx(0.3)  # before any vote, the machine's word
