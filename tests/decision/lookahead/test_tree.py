import itertools

import numpy as np
import pytest

from quorate.data.costs import Costs
from quorate.decision.belief import Belief
from quorate.decision.lookahead.value import value_of_votes

COIN = np.array([[0.8, 0.2], [0.2, 0.8]])


def test_all_orders_of_answers_are_one_point_of_the_tree() -> None:
    # The tree counts answers; their order does not matter where beliefs are multiplied.
    belief = Belief.plain(np.array([[0.6, 0.4]]), COIN)
    costs = Costs.of_error(100, 2)
    expected = 0.0
    for answers in itertools.product(range(2), repeat=3):
        joint = belief.probs[0] * np.prod([COIN[:, answer] for answer in answers], axis=0)
        expected += 100 * joint.min()
    assert value_of_votes(belief, costs, 3)[0, 2] == pytest.approx(40 - expected)
