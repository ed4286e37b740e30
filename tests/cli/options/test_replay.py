import pytest

from quorate.cli.options.replay import BudgetOptions, StreamOptions
from quorate.errors import MethodError
from quorate.replay.stream import Arrivals


def test_budgets_are_money_or_shares() -> None:
    assert BudgetOptions().budgets() == []
    assert BudgetOptions(budget="25%, 500").budgets() == ["25%", "500"]
    with pytest.raises(MethodError):
        BudgetOptions(budget="much").budgets()


def test_options_of_a_stream_need_a_stream() -> None:
    assert StreamOptions().arrivals(recorded_order=False) is None
    assert StreamOptions(stream=True, rate=3).arrivals(recorded_order=True) == Arrivals(rate=3, recorded=True)
    with pytest.raises(MethodError, match="are for a stream: add --stream"):
        StreamOptions(rate=3).arrivals(recorded_order=False)
