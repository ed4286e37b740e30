import numpy as np

from quorate.data.costs import Costs
from quorate.decision.policies.crowd_only import CrowdOnly
from quorate.decision.policies.expected_loss import ExpectedLoss
from tests.contracts.policy_contract import some_machine
from tests.crowds import small_crowd
from tests.decision.policies.pools import state


def test_it_is_the_engine_without_a_machine() -> None:
    votes, costs = small_crowd(2), Costs.of_error(50, 2)
    machines = {"m": some_machine(votes)}
    crowd, engine = CrowdOnly(costs=costs), ExpectedLoss(costs=costs)
    decisions = crowd.decide(state(votes, crowd.fit(votes, machines), machines))
    alone = engine.decide(state(votes, engine.fit(votes, {})))
    for column in ("action", "label", "ask", "value", "probs", "expected_cost"):
        assert np.array_equal(getattr(decisions, column), getattr(alone, column))
    heard = engine.decide(state(votes, engine.fit(votes, machines), machines))
    assert not np.allclose(heard.probs, decisions.probs)
