"""What votes are worth to a mean of machine and crowd, worked out by hand."""

import numpy as np
import pytest

from benchmarks.decision.average_value import AverageValue
from quorate import Votes
from quorate.data.costs import Costs
from quorate.data.decisions import ACCEPT, ASK
from quorate.decision.base import PoolState
from quorate.decision.fusion.average import FusedAverage
from quorate.inference.crowd_model import fit_crowd
from quorate.typing import Array


def one_task(machine: list[float], error: float) -> tuple[AverageValue, PoolState, Array]:
    """A task without votes; the crowd is right as often as a few votes on others say."""
    policy = AverageValue(costs=Costs.of_error(error, 2))
    votes = Votes.from_arrays([], [], [], n_tasks=1, n_classes=2)
    seen = Votes.from_counts([[8, 2], [2, 8]] * 50)
    model = FusedAverage(fit_crowd(seen, np.array([[1.0, 0.0], [0.0, 1.0]] * 50)), np.array([0.5, 0.5]), 0.5)
    said = np.array([machine])
    state = PoolState(
        votes=votes, machines={"m": said}, model=model, gold=np.array([-1]), open=np.ones((1, 1), dtype=bool)
    )
    return policy, state, said


def test_one_vote_by_hand() -> None:
    """With q how often a voter is right: the crowd then says (q, 1 - q), and the mean is half-way to the machine."""
    policy, state, said = one_task([0.9, 0.1], 100)
    assert isinstance(state.model, FusedAverage)
    q = state.model.crowd.pool[0, 0]
    assert state.model.crowd.pool == pytest.approx(np.array([[q, 1 - q], [1 - q, q]]))
    agrees, differs = (0.9 + q) / 2, (0.9 + 1 - q) / 2
    chance = 0.9 * q + 0.1 * (1 - q)
    by_hand = chance * 100 * (1 - max(agrees, 1 - agrees)) + (1 - chance) * 100 * (1 - max(differs, 1 - differs))
    later = policy._cost_after(1, state.model, said, np.array([[0.5, 0.5]]), said)
    assert later == pytest.approx([by_hand])


def test_a_mean_of_a_sure_machine_and_people_only_gets_less_sure() -> None:
    policy, state, _ = one_task([0.9, 0.1], 100)
    assert policy.decide(state).action.tolist() == [ACCEPT]


def test_where_the_machine_is_in_doubt_people_are_asked() -> None:
    policy, state, _ = one_task([0.5, 0.5], 100)
    assert policy.decide(state).action.tolist() == [ASK]
    policy, state, _ = one_task([0.5, 0.5], 2)
    assert policy.decide(state).action.tolist() == [ACCEPT]
