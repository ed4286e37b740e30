from itertools import product

import numpy as np
import pytest

from quorate.data.costs import Costs
from quorate.decision.belief import Belief
from quorate.decision.lookahead.value import value_of_votes
from quorate.decision.policies._expected_cost import cost_after
from tests.decision.policies.pools import EIGHTY


def test_of_two_classes_it_is_what_looking_ahead_gives() -> None:
    prior, costs = np.array([0.7, 0.3]), Costs.binary(false_positive=10, false_negative=40)
    ahead = costs.cheapest(prior[None])[1] - value_of_votes(Belief.plain(prior[None], EIGHTY), costs, 5)[0]
    assert np.allclose(cost_after(prior, EIGHTY, costs, 5), ahead)


@pytest.mark.parametrize("unclassifiable", [None, 15.0])
def test_of_three_classes_it_is_the_sum_over_all_answers(unclassifiable: float | None) -> None:
    rng = np.random.default_rng(0)
    prior, pool = rng.dirichlet(np.ones(3)), rng.dirichlet(np.ones(3), 3) + 2 * np.eye(3)
    pool /= pool.sum(axis=1, keepdims=True)
    costs = Costs.of_error(100, 3, unclassifiable=unclassifiable)
    slow = 0.0
    for answers in product(range(3), repeat=3):
        joint = prior * pool[:, list(answers)].prod(axis=1)
        slow += joint.sum() * costs.cheapest(joint[None] / joint.sum())[1][0]
    assert cost_after(prior, pool, costs, 3)[-1] == pytest.approx(slow)


def test_with_many_classes_further_votes_are_taken_to_change_nothing() -> None:
    n_classes = 40
    pool = np.full((n_classes, n_classes), 0.4 / (n_classes - 1))
    np.fill_diagonal(pool, 0.6)
    after = cost_after(np.full(n_classes, 1 / n_classes), pool, Costs.of_error(100, n_classes), 4)
    assert after[1] > after[2] == after[3]
