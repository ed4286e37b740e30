from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate.data.costs import Costs
from quorate.decision.screening.plans import Outcomes, Plans
from quorate.decision.screening.sequential_test import Runs
from quorate.typing import Array

EVEN = Costs.binary(false_positive=100, false_negative=100)
RIGHT_8 = np.array([[0.8, 0.2], [0.2, 0.8]])
chances = st.floats(0.01, 0.99)


def outcomes(holds: Array, answers: Array, prices: Array) -> Outcomes:
    return Outcomes.of(holds, Runs.of(answers), prices, np.ones(holds.shape, dtype=bool))


def cost_in_order(chosen: Outcomes, order: tuple[int, ...], all_hold: float, costs: Costs) -> float:
    """Go through the criteria one by one."""
    reached, spend = 1.0, 0.0
    for criterion in order:
        spend += reached * chosen.spend[0, criterion]
        reached *= chosen.passes[0, criterion]
    rightly = float(chosen.passes_rightly.prod())
    return spend + costs.matrix[0, 1] * (reached - rightly) + costs.matrix[1, 0] * (all_hold - rightly)


@given(
    holds=st.lists(chances, min_size=3, max_size=3),
    runs=st.lists(st.integers(0, 25), min_size=3, max_size=3),
    prices=st.lists(st.floats(0.1, 10), min_size=3, max_size=3),
)
def test_no_order_is_cheaper_than_price_per_chance_to_exclude(
    holds: list[float], runs: list[int], prices: list[float]
) -> None:
    every = outcomes(np.array([holds]), np.array([RIGHT_8] * 3), np.array(prices))
    chosen, all_hold = every.chosen(np.array([runs])), float(np.prod(holds))
    by_hand = [cost_in_order(chosen, order, all_hold, EVEN) for order in permutations(range(3))]
    assert chosen.cost(np.array([all_hold]), EVEN)[0] == pytest.approx(min(by_hand))


@pytest.mark.parametrize("miss", [20.0, 400.0])
def test_the_plan_is_about_the_best_of_all_choices_of_runs(miss: float) -> None:
    # All 676 pairs of runs on two criteria, for 200 items; to decide at once is a choice too.
    costs, holds = Costs.binary(false_positive=40, false_negative=miss), np.random.default_rng(0).random((200, 2))
    every = outcomes(holds, np.array([RIGHT_8, [[0.7, 0.3], [0.1, 0.9]]]), np.array([1.5, 1.0]))
    all_hold = holds.prod(axis=1)
    pairs = [np.tile(runs, (len(holds), 1)) for runs in product(range(26), repeat=2)]
    tried = np.min([every.chosen(runs).cost(all_hold, costs) for runs in pairs], axis=0)
    now = costs.cheapest(np.stack([1 - all_hold, all_hold], axis=1))[1]
    planned = Plans.cheapest(every, costs).cost
    assert (planned >= tried - 1e-9).all()
    above = np.minimum(planned, now) / np.minimum(tried, now)
    assert above.mean() < 1.001
    assert above.max() < 1.05
