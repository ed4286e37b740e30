import pytest

from quorate.data.costs import Costs
from quorate.decision.policy_by_name import policy_of
from quorate.errors import MethodError


def test_a_cost_below_zero_is_refused_as_it_was_typed() -> None:
    with pytest.raises(MethodError, match=r"cost_error must be zero or more, got -5"):
        policy_of("expected_loss", 2, cost_error=-5)
    assert policy_of("expected_loss", 2, cost_error=-5, costs=Costs.of_error(3, 2)).costs.even == 3
