import numpy as np
import pytest

from quorate.audit.error_cost import state_cost
from quorate.audit.error_rate import state_error_of
from quorate.data.costs import Costs


def test_even_costs_are_the_error_rate() -> None:
    rng = np.random.default_rng(0)
    truth = (rng.random(600) < 0.05).astype(int)
    expert = np.where(np.arange(600) < 150, truth, -1)
    rate = state_error_of(np.zeros(600), expert)
    cost = state_cost(np.zeros(600), expert, Costs.of_error(20, 2), draws=100_000)
    assert cost.value == pytest.approx(20 * rate.value)
    assert cost.low == pytest.approx(20 * rate.low, abs=1.5 * 20 / 600)  # an item
    assert cost.high == pytest.approx(20 * rate.high, abs=1.5 * 20 / 600)


@pytest.mark.slow
def test_uneven_costs_cover() -> None:
    # Three classes, cheap errors that are frequent and an expensive one that is rare, in two strata.
    costs = Costs(matrix=np.array([[0.0, 1, 4], [2, 0, 50], [10, 3, 0]]))
    rng = np.random.default_rng(1)
    labels = rng.integers(0, 3, 1000)
    truth = np.where(rng.random(1000) < 0.06, rng.integers(0, 3, 1000), labels)
    strata = (np.arange(1000) >= 800).astype(int)
    real = costs.of_errors(truth, labels).mean()
    covered = 0
    for _ in range(100):
        order = np.concatenate([rng.permutation(800)[:80], 800 + rng.permutation(200)[:60]])
        expert = np.full(1000, -1)
        expert[order] = truth[order]
        estimate = state_cost(labels, expert, costs, strata=strata, draws=2000)
        covered += estimate.low <= real <= estimate.high
    assert covered >= 88
