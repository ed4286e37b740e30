"""What errors and votes cost."""

import numpy as np
import pytest

from quorate.data.costs import Costs, CostsWarning, Prices
from quorate.errors import MethodError


def test_the_cheapest_label_by_hand() -> None:
    # To call a positive negative costs 40, the other way 10: positive from .2 on.
    costs = Costs.binary(false_positive=10, false_negative=40)
    label, cost = costs.cheapest(np.array([[0.85, 0.15], [0.75, 0.25]]))
    assert label.tolist() == [0, 1]
    assert cost.tolist() == pytest.approx([6.0, 7.5])
    assert costs.threshold() == pytest.approx(0.2)


def test_even_costs_are_the_shortcut_of_the_whole_matrix() -> None:
    probs = np.random.default_rng(0).dirichlet(np.ones(4), size=100)
    even = Costs.of_error(7, 4)
    assert even.even == 7
    label, cost = even.cheapest(probs)
    assert label.tolist() == even.risks(probs).argmin(axis=1).tolist()
    assert cost == pytest.approx(even.risks(probs).min(axis=1))
    assert even.least(probs.T) == pytest.approx(cost)
    uneven = Costs(matrix=even.matrix + np.array([[0, 1, 0, 0]] + [[0] * 4] * 3))
    assert uneven.even is None
    assert uneven.least(probs.T / 2) == pytest.approx(uneven.cheapest(probs)[1] / 2)


def test_giving_up_is_a_decision_with_its_own_cost() -> None:
    costs = Costs.of_error(100, 2, unclassifiable=5)
    label, cost = costs.cheapest(np.array([[0.97, 0.03], [0.9, 0.1]]))
    assert label.tolist() == [0, -1]
    assert cost.tolist() == pytest.approx([3.0, 5.0])
    assert costs.least(np.array([[0.9], [0.1]])).tolist() == [5.0]
    assert costs.of_errors([0, 1, 1], [0, 0, -1]).tolist() == [0, 100, 5]


@pytest.mark.parametrize(
    "matrix", [np.zeros((2, 3)), [[0, -1], [1, 0]], [[5, 1], [1, 0]], [[0, np.nan], [1, 0]], [[0.0]]]
)
def test_costs_that_make_no_sense_are_refused(matrix: object) -> None:
    with pytest.raises(MethodError):
        Costs(matrix=matrix)  # type: ignore[arg-type]


def test_a_threshold_is_for_two_classes() -> None:
    with pytest.raises(MethodError, match="two classes"):
        Costs.of_error(1, 3).threshold()


def test_prices() -> None:
    prices = Prices(votes={"crowd": 1, "expert": 10})
    assert prices.of("expert") == 10
    for wrong in ({}, {"crowd": -1}, {"crowd": float("inf")}):
        with pytest.raises(MethodError):
            Prices(votes=wrong)


def test_eq_1_is_checked_with_a_warning() -> None:
    with pytest.warns(CostsWarning, match="none will be asked"):
        Prices(votes={"crowd": 10}).check(Costs.of_error(5, 2))
    with pytest.warns(CostsWarning, match="the classifier"):
        Prices(machine=3).check(Costs.of_error(50, 2))


def test_eq_1_holds_strictly_unless_the_classifier_is_free() -> None:
    costs = Costs.of_error(50, 2)
    assert Prices(votes={"crowd": 1}, machine=0.1).warnings(costs) == []
    assert Prices(votes={"crowd": 0}).warnings(costs) == []  # volunteers, and a classifier of one's own
    with pytest.warns(CostsWarning, match=r"the classifier \(1 per task\) costs as much as a vote \(1\)"):
        Prices(votes={"crowd": 1}, machine=1).check(costs)
    both = Prices(votes={"crowd": 60, "expert": 80}, machine=70).warnings(costs)
    assert [message.partition(" (")[0] for message in both] == ["the classifier", "a vote"]
