import numpy as np
import pytest

from quorate import Votes
from quorate.data.decisions import ACCEPT, ASK
from quorate.decision.policies.swap import Swap
from quorate.errors import MethodError
from tests.decision.policies.pools import COSTS, state, voters


def test_tasks_retire_when_the_posterior_passes_the_threshold() -> None:
    # Voters right in four of five: each vote beyond the other side's multiplies the odds by four.
    votes = Votes.from_counts([[0, 0], [1, 0], [2, 0], [3, 0], [1, 3], [2, 5]])
    decisions = Swap(costs=COSTS, retire=0.95).decide(state(votes, voters()))
    assert np.allclose(decisions.probs.max(axis=1), [1 / 2, 4 / 5, 16 / 17, 64 / 65, 16 / 17, 64 / 65])
    assert decisions.action.tolist() == [ASK, ASK, ASK, ACCEPT, ASK, ACCEPT]
    assert decisions.label[3:].tolist() == [0, 1, 1]
    surer = Swap(costs=COSTS, retire=0.99).decide(state(votes, voters()))
    assert surer.action.tolist() == [ASK] * 6


def test_each_task_gets_a_vote_however_common_its_class() -> None:
    votes = Votes.from_counts([[0, 0], [1, 0]])
    decisions = Swap(costs=COSTS, retire=0.95).decide(state(votes, voters(class_prior=[0.97, 0.03])))
    assert decisions.action.tolist() == [ASK, ACCEPT]


def test_the_vote_limit_is_kept() -> None:
    votes = Votes.from_counts([[1, 1], [1, 2]])
    assert Swap(costs=COSTS, most=3).decide(state(votes, voters())).action.tolist() == [ASK, ACCEPT]


def test_a_machine_as_prior_saves_votes() -> None:
    votes = Votes.from_counts([[0, 0], [0, 0], [1, 0]])
    machines = {"m": np.array([[0.96, 0.04], [0.6, 0.4], [0.9, 0.1]])}
    policy = Swap(costs=COSTS, retire=0.95, machine=True)
    model = policy.fit(votes, machines)
    assert getattr(model, "trust") == 1  # noqa: B009
    decisions = policy.decide(state(votes, voters(trust=1.0), machines))
    assert np.allclose(decisions.probs[:, 0], [0.96, 0.6, 36 / 37])
    assert decisions.action.tolist() == [ACCEPT, ASK, ACCEPT]


def test_wrong_options_are_refused() -> None:
    with pytest.raises(MethodError, match="retire must be above 0 and at most 1"):
        Swap(costs=COSTS, retire=1.5)
    with pytest.raises(MethodError, match="most must be zero"):
        Swap(costs=COSTS, most=-1)
    with pytest.raises(MethodError, match="matrices must be one of anchored, dawid_skene, got 'none'"):
        Swap(costs=COSTS, matrices="none")  # type: ignore[arg-type]
