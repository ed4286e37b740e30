import numpy as np
import pytest

from quorate.data.votes import Votes
from quorate.decision.fusion.calibrated import Calibrated, FusedCalibrated
from quorate.decision.fusion.log_linear import FusedLogLinear
from quorate.decision.fusion.product import Product
from quorate.inference.crowd_model import Crowd
from tests.decision.fusion.pools import COIN, one_vote


def test_calibrated_by_hand() -> None:
    # One vote of a voter right in 8 of 10, to the power .5: .8^.5 : .2^.5 = 2 : 1; without votes nothing is known.
    plain = FusedLogLinear(Crowd(one_vote().workers, COIN[None]), np.array([0.5, 0.5]))
    model = FusedCalibrated(plain, np.array([1.0, 0.5, 1.0, 1.0, 1.0, 1.0]))
    assert model.posterior(one_vote(), {})[:, 0] == pytest.approx([2 / 3, 1 / 2])
    assert model.belief(one_vote(), {}).probs[:, 0] == pytest.approx([2 / 3, 1 / 2])


def test_calibrated_learns_for_each_number_of_votes() -> None:
    # Three voters always agree and are right in two of three: one vote counts in full, the others add nothing.
    gold = np.array([0, 1] * 60)
    labels = np.where(np.arange(120) % 6 < 4, gold, 1 - gold)[:, None] * np.ones((1, 3), dtype=int)
    votes = Votes.from_matrix(labels)
    model = Calibrated(fusion=Product()).fit(votes, {}, gold)
    assert model.powers[1] == pytest.approx(1.0, abs=0.2)
    assert model.powers[3] < 0.6
    assert model.posterior(votes, {}).max(axis=1) == pytest.approx(2 / 3, abs=0.08)
