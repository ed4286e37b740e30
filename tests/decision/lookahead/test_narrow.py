from dataclasses import replace

import numpy as np
import pytest

from quorate.data.costs import Costs
from quorate.decision.belief import Belief, DeceptionModel
from quorate.decision.lookahead.value import value_of_asking
from tests.decision.lookahead.walks import by_walking


def test_three_classes_that_are_alike_but_for_two_lose_nothing_by_narrowing() -> None:
    # Of three classes the third is the rest: looking ahead is exact.
    accuracy, probs = 0.7, np.array([[0.5, 0.3, 0.2]])
    pool = np.full((3, 3), 0.15) + np.eye(3) * (accuracy - 0.15)
    costs = Costs.of_error(50, 3)
    plain = Belief.plain(probs, pool)
    deception = DeceptionModel(np.array([[0.6, 0.3, 0.1]]), 0.1, (1 - np.eye(3)) / 2)
    for belief in (plain, replace(plain, deception=deception), replace(plain, vote_discount=0.6)):
        assert value_of_asking(belief, costs, 1.0, horizon=3)[0] == pytest.approx(by_walking(belief, costs, 1.0, 3))
