import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from quorate.decision.batch import Batch, affordable


def slowly_affordable(price: list[float], budget: float, most: int) -> list[int]:
    bought: list[int] = []
    for row, amount in enumerate(price):
        if len(bought) < most and sum(price[other] for other in bought) + amount <= budget:
            bought.append(row)
    return bought


@given(st.lists(st.integers(0, 9), max_size=30), st.integers(0, 60), st.integers(0, 12))
def test_all_that_fits_is_bought_in_order(price: list[int], budget: int, most: int) -> None:
    bought = affordable(np.array(price, dtype=np.float64), budget, most)
    assert bought.tolist() == slowly_affordable([float(amount) for amount in price], budget, most)


def test_three_tenths_buy_three_votes_of_a_tenth() -> None:
    assert len(affordable(np.full(5, 0.1), 0.3, 5)) == 3


def test_batches_join_and_empty_ones_have_a_repr() -> None:
    nothing = Batch.of(np.zeros(0), 0, 1.0, 0)
    assert repr(nothing) == "Batch(0 tasks for 0)"
    assert len(nothing.join(Batch.of(np.array([4, 2]), 0, 1.0, 1))) == 2
