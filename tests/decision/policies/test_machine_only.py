import numpy as np

from quorate import Votes
from quorate.data.costs import Costs
from quorate.data.decisions import ACCEPT
from quorate.decision.base import NO_WARM_UP
from quorate.decision.policies.machine_only import MachineOnly
from tests.decision.policies.pools import state

POLICY = MachineOnly(costs=Costs.of_error(100, 2))


def test_the_machine_labels_everything_whatever_people_say() -> None:
    votes = Votes.from_counts([[0, 9], [0, 0]])
    machines = {"m": np.array([[0.7, 0.3], [0.4, 0.6]])}
    decisions = POLICY.decide(state(votes, POLICY.fit(votes, machines), machines))
    assert decisions.action.tolist() == [ACCEPT, ACCEPT]
    assert decisions.label.tolist() == [0, 1]
    assert np.allclose(decisions.expected_cost, [30, 40])


def test_several_machines_meet_at_their_geometric_mean() -> None:
    votes = Votes.from_counts([[0, 0]])
    machines = {"one": np.array([[0.9, 0.1]]), "other": np.array([[0.5, 0.5]])}
    decisions = POLICY.decide(state(votes, POLICY.fit(votes, machines), machines))
    assert np.allclose(decisions.probs, [[0.75, 0.25]])  # sqrt(.9 * .5) = 3 * sqrt(.1 * .5)


def test_without_a_machine_the_cheapest_label_of_the_class_prior() -> None:
    votes = Votes.from_counts([[4, 0], [4, 0], [4, 0], [0, 4], [0, 0]])
    model = POLICY.fit(votes, {})
    decisions = POLICY.decide(state(votes, model))
    assert decisions.label.tolist() == [0] * 5
    assert np.allclose(decisions.probs, model.class_prior)
    expensive = MachineOnly(costs=Costs.binary(false_positive=1, false_negative=50))
    assert expensive.decide(state(votes, model)).label.tolist() == [1] * 5


def test_only_a_machine_that_must_learn_warms_up() -> None:
    assert POLICY.warm_up(90, {}) == (30, 3)
    assert POLICY.warm_up(9000, {}) == (150, 3)
    assert POLICY.warm_up(90, {"m": np.full((90, 2), 0.5)}) == NO_WARM_UP
